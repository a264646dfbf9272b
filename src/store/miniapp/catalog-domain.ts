import { embeddedDomains } from '../embed-domain.js';
import { selectQuery, writeQuery } from '../query-function.js';

/** What the operator decided about a mini app: it comes first in the catalog, or is in no list. */
export type Placement = 'featured' | 'hidden';

/**
 * Adds domains that trusted accounts embedded in recent casts and that are not known yet, the latest first.
 * @param ts protocol seconds between which the casts were written
 * @param rule `score` that authors need, unless nobody has it; `casts` the newest casts that are looked at; `domains`
 *   that are added at most
 */
export const insertEmbeddedDomains = writeQuery(
  'insert_embedded_domains',
  `with anybody as (
     select not exists (select from account where score >= :score::real) as is_trusted
   ), recent as (
     select c.ts, c.fid, c.embeds from "cast" c
      where c.ts >= :from::integer and c.ts <= :to::integer
      order by c.ts desc, c.hash desc limit :casts
   ), embedded as (
     select e.domain, max(c.ts) as ts
       from recent c
       cross join anybody
       left join account a on a.fid = c.fid
       ${embeddedDomains('c')}
      where c.embeds <> '[]' and (anybody.is_trusted or a.score >= :score::real)
        and e.domain is not null and length(e.domain) <= 260
      group by e.domain
   )
   insert into catalog_domain (domain, found_at, next_fetch_at)
   select n.domain, :now::timestamptz, :now::timestamptz from embedded n
    where not exists (select from catalog_domain k where k.domain = n.domain)
    order by n.ts desc, n.domain limit :domains
   on conflict do nothing
   returning domain`,
).count(
  (
    ts: { readonly from: number; readonly to: number },
    rule: { readonly score: number; readonly casts: number; readonly domains: number },
    now: Date,
  ) => ({ from: ts.from, to: ts.to, score: rule.score, casts: rule.casts, now, domains: rule.domains }),
);

/** Adds a domain that a command names; a known one is left as it is. */
export const insertDomain = writeQuery(
  'insert_catalog_domain',
  'insert into catalog_domain (domain, found_at, next_fetch_at) values (:domain, :now, :now) on conflict do nothing',
).done((domain: string, now: Date) => ({ domain, now }));

/** @returns domains whose manifest is to be read by now: new and listed ones, then those with faults, each by their wait */
export const selectDueDomains = selectQuery(
  'catalog_domains_due',
  `select q.domain as "domain!" from (
     (select domain, 0 as turn, next_fetch_at from catalog_domain
       where (failures > 0) = false and next_fetch_at <= :now order by next_fetch_at, domain limit :limit)
     union all
     (select domain, 1, next_fetch_at from catalog_domain
       where (failures > 0) = true and next_fetch_at <= :now order by next_fetch_at, domain limit :limit)) q
    order by q.turn, q.next_fetch_at, q.domain limit :limit`,
).column('domain', (now: Date, limit: number) => ({ now, limit }));

export const selectKnownDomain = selectQuery(
  'catalog_domain_known',
  'select failures, read_at as "readAt" from catalog_domain where domain = :domain',
).first((domain: string) => ({ domain }));

/** Notes that a valid manifest was read. */
export const updateDomainRead = writeQuery(
  'update_catalog_domain_read',
  `update catalog_domain set fetched_at = :now, read_at = :now, next_fetch_at = :next, failures = 0, failure = null
    where domain = :domain`,
).done((domain: string, now: Date, next: Date) => ({ domain, now, next }));

/** Notes that no valid manifest was read, and why. */
export const updateDomainFailed = writeQuery(
  'update_catalog_domain_failed',
  'update catalog_domain set fetched_at = :now, next_fetch_at = :next, failures = :failures, failure = :failure where domain = :domain',
).done(
  (
    domain: string,
    at: { readonly now: Date; readonly next: Date },
    fault: { readonly failures: number; readonly failure: string },
  ) => ({ domain, now: at.now, next: at.next, failures: fault.failures, failure: fault.failure }),
);

/** @returns whether the domain is known */
export const updatePlacement = writeQuery(
  'update_catalog_placement',
  'update catalog_domain set placement = :placement? where domain = :domain returning domain',
).hasRows((domain: string, placement: Placement | null) => ({ domain, placement }));

const SUMMARY = `d.domain, a.name, a.author_fid as "authorFid", d.placement, d.found_at as "foundAt",
  d.fetched_at as "fetchedAt", d.next_fetch_at as "nextFetchAt", d.failures, d.failure,
  (select s.score from catalog_score s
    where s.domain = d.domain and s.counted_at = (select max(counted_at) from catalog_score)) as score`;

/**
 * `failure` is what was wrong with the manifest the last time, null: nothing, or it was not read yet; `score` is of the
 * latest count, null: it was not counted yet.
 * @param isAll also lists domains without a valid manifest
 */
export const selectDomainSummaries = selectQuery(
  'catalog_domain_summaries',
  `select ${SUMMARY} from catalog_domain d left join catalog_app a using (domain)
    where :isAll::boolean or a.domain is not null
    order by (a.domain is null), score desc nulls last, d.domain limit :limit`,
).rows((isAll: boolean, limit: number) => ({ isAll, limit }));

/** @returns one domain with its manifest as JSON; undefined if it is unknown */
export const selectDomainSummary = selectQuery(
  'catalog_domain_summary',
  `select ${SUMMARY}, a.manifest::text as manifest, a.image_url as "imageUrl"
     from catalog_domain d left join catalog_app a using (domain) where d.domain = :domain`,
).first((domain: string) => ({ domain }));
