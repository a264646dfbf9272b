/**
 * Joins the domains of the URLs that a cast embeds, as `e.domain`: the host in lower case, with its port if the URL names
 * one. Other schemes than http and https, address literals in brackets and user names in URLs have none.
 * @param cast SQL alias of a row of `cast`
 */
export const embeddedDomains = (cast: string): string => `
  cross join lateral (
    select distinct lower(substring(u.value ->> 'url' from '^[Hh][Tt][Tt][Pp][Ss]?://([A-Za-z0-9.-]+(?::[0-9]{1,5})?)(?:[/?#]|$)')) as domain
      from jsonb_array_elements(${cast}.embeds) u
  ) e`;
