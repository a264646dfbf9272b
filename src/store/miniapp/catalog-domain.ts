import { embeddedDomains } from '../embed-domain.js';
import { selectQuery, writeQuery } from '../query-function.js';

/** What the operator decided about a mini app: it comes first in the catalog, or is in no list. */
export type Placement = 'featured' | 'hidden';

/** A mini app, or a domain without a valid manifest, as commands show it. */
export interface DomainSummary {
  readonly domain: string;
  readonly name: string | null;
  readonly authorFid: number | null;
  readonly placement: Placement | null;
  readonly foundAt: Date;
  readonly fetchedAt: Date | null;
  readonly nextFetchAt: Date;
  readonly failures: number;
  /** What was wrong with the manifest the last time; null: nothing, or it was not read yet. */
  readonly failure: string | null;
  /** Of the latest count; null: it was not counted yet. */
  readonly score: number | null;
}

/**
 * Adds domains that trusted accounts embedded in recent casts and that are not known yet, the latest first.
 * @param ts protocol seconds between which the casts were written
 * @param rule `score` that authors need, unless nobody has it; `casts` the newest casts that are looked at; `domains`
 *   that are added at most
 */
export const insertEmbeddedDomains = writeQuery<{ domain: string }>(
  'insert_embedded_domains',
  `with anybody as (
     select not exists (select from account where score >= $3::real) as is_trusted
   ), recent as (
     select c.ts, c.fid, c.embeds from "cast" c
      where c.ts >= $1::integer and c.ts <= $2::integer
      order by c.ts desc, c.hash desc limit $4
   ), embedded as (
     select e.domain, max(c.ts) as ts
       from recent c
       cross join anybody
       left join account a on a.fid = c.fid
       ${embeddedDomains('c')}
      where c.embeds <> '[]' and (anybody.is_trusted or a.score >= $3::real)
        and e.domain is not null and length(e.domain) <= 260
      group by e.domain
   )
   insert into catalog_domain (domain, found_at, next_fetch_at)
   select n.domain, $5::timestamptz, $5::timestamptz from embedded n
    where not exists (select from catalog_domain k where k.domain = n.domain)
    order by n.ts desc, n.domain limit $6
   on conflict do nothing
   returning domain`,
).count(
  (
    ts: { readonly from: number; readonly to: number },
    rule: { readonly score: number; readonly casts: number; readonly domains: number },
    now: Date,
  ) => [ts.from, ts.to, rule.score, rule.casts, now, rule.domains],
);

/** Adds a domain that a command names; a known one is left as it is. */
export const insertDomain = writeQuery(
  'insert_catalog_domain',
  'insert into catalog_domain (domain, found_at, next_fetch_at) values ($1, $2, $2) on conflict do nothing',
).done((domain: string, now: Date) => [domain, now]);

/** @returns domains whose manifest is to be read by now: new and listed ones, then those with faults, each by their wait */
export const selectDueDomains = selectQuery<{ domain: string }>(
  'catalog_domains_due',
  `select q.domain from (
     (select domain, 0 as turn, next_fetch_at from catalog_domain
       where (failures > 0) = false and next_fetch_at <= $1 order by next_fetch_at, domain limit $2)
     union all
     (select domain, 1, next_fetch_at from catalog_domain
       where (failures > 0) = true and next_fetch_at <= $1 order by next_fetch_at, domain limit $2)) q
    order by q.turn, q.next_fetch_at, q.domain limit $2`,
).column('domain', (now: Date, limit: number) => [now, limit]);

/** What is known about a domain before its manifest is read again. */
export interface KnownDomain {
  readonly failures: number;
  readonly readAt: Date | null;
}

export const selectKnownDomain = selectQuery<KnownDomain>(
  'catalog_domain_known',
  'select failures, read_at as "readAt" from catalog_domain where domain = $1',
).first((domain: string) => [domain]);

/** Notes that a valid manifest was read. */
export const updateDomainRead = writeQuery(
  'update_catalog_domain_read',
  `update catalog_domain set fetched_at = $2, read_at = $2, next_fetch_at = $3, failures = 0, failure = null
    where domain = $1`,
).done((domain: string, now: Date, next: Date) => [domain, now, next]);

/** Notes that no valid manifest was read, and why. */
export const updateDomainFailed = writeQuery(
  'update_catalog_domain_failed',
  'update catalog_domain set fetched_at = $2, next_fetch_at = $3, failures = $4, failure = $5 where domain = $1',
).done(
  (
    domain: string,
    at: { readonly now: Date; readonly next: Date },
    fault: { readonly failures: number; readonly failure: string },
  ) => [domain, at.now, at.next, fault.failures, fault.failure],
);

/** @returns whether the domain is known */
export const updatePlacement = writeQuery<{ domain: string }>(
  'update_catalog_placement',
  'update catalog_domain set placement = $2 where domain = $1 returning domain',
).hasRows((domain: string, placement: Placement | null) => [domain, placement]);

const SUMMARY = `d.domain, a.name, a.author_fid as "authorFid", d.placement, d.found_at as "foundAt",
  d.fetched_at as "fetchedAt", d.next_fetch_at as "nextFetchAt", d.failures, d.failure,
  (select s.score from catalog_score s
    where s.domain = d.domain and s.counted_at = (select max(counted_at) from catalog_score)) as score`;

/** @param isAll also lists domains without a valid manifest */
export const selectDomainSummaries = selectQuery<DomainSummary>(
  'catalog_domain_summaries',
  `select ${SUMMARY} from catalog_domain d left join catalog_app a using (domain)
    where $1::boolean or a.domain is not null
    order by (a.domain is null), score desc nulls last, d.domain limit $2`,
).rows((isAll: boolean, limit: number) => [isAll, limit]);

/** @returns one domain with its manifest as JSON; undefined if it is unknown */
export const selectDomainSummary = selectQuery<
  DomainSummary & { readonly manifest: string | null; readonly imageUrl: string | null }
>(
  'catalog_domain_summary',
  `select ${SUMMARY}, a.manifest::text as manifest, a.image_url as "imageUrl"
     from catalog_domain d left join catalog_app a using (domain) where d.domain = $1`,
).first((domain: string) => [domain]);
