/** An image or a video as a page declares it: its address, and the members given after it. Texts are as written. */
export interface DeclaredMedia {
  readonly url: string;
  readonly members: ReadonlyMap<string, string>;
}

interface Declaration {
  url?: string;
  secureUrl?: string;
  readonly members: Map<string, string>;
}

/**
 * Reads the arrays and structured properties of Open Graph (ogp.me): each `og:image` begins another image, and
 * `og:image:width` and the like belong to the one declared last. `og:image:url` is the same as `og:image`, and
 * `og:image:secure_url` is its https address, which is preferred.
 * @param properties names, in lower case, and contents of the page's meta elements, in order
 * @param name `og:image` or `og:video`
 * @returns what is declared, in order; without an address it is left out
 */
export const readStructuredMedia = (
  properties: readonly (readonly [name: string, content: string])[],
  name: string,
): DeclaredMedia[] => {
  const declared: Declaration[] = [];
  const begin = (): Declaration => {
    const next: Declaration = { members: new Map() };
    declared.push(next);
    return next;
  };
  for (const [property, content] of properties) {
    const last = declared.at(-1);
    if (property === name) {
      // Some pages write the members of a single image before its address.
      const current = last === undefined || last.url !== undefined ? begin() : last;
      current.url = content;
    } else if (property === `${name}:url`) {
      const isSame = last !== undefined && (last.url === undefined || last.url === content);
      (isSame ? last : begin()).url = content;
    } else if (property === `${name}:secure_url`) {
      (last === undefined || last.secureUrl !== undefined ? begin() : last).secureUrl = content;
    } else if (property.startsWith(`${name}:`)) {
      const { members } = last ?? begin();
      const member = property.slice(name.length + 1);
      if (!members.has(member)) members.set(member, content);
    }
  }
  return declared.flatMap(({ url, secureUrl, members }) => {
    const address = secureUrl?.startsWith('https:') ? secureUrl : (url ?? secureUrl);
    return address === undefined ? [] : [{ url: address, members }];
  });
};
