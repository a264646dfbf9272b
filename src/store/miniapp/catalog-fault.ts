import { type RowOf, selectQuery } from '../query-function.js';

const COLUMNS = `d.domain, a.name, a.author_fid as "authorFid", d.failures, d.failure, d.fetched_at as "fetchedAt",
  d.next_fetch_at as "nextFetchAt", (a.domain is not null and d.placement is distinct from 'hidden') as "isListed!"`;

/** A domain with the state of its manifest; `name` and `authorFid` are of the last valid one, null: there was none. */
export type DomainState = RowOf<'catalog_domain_state'>;

/** @returns undefined for a domain that the catalog does not know */
export const selectDomainState = selectQuery(
  'catalog_domain_state',
  `select ${COLUMNS} from catalog_domain d left join catalog_app a using (domain) where d.domain = :domain`,
).first((domain: string) => ({ domain }));

/** @returns domains without a valid manifest at the last attempt, in their order after one */
export const selectFaultyDomains = selectQuery(
  'catalog_domain_faults',
  `select ${COLUMNS} from catalog_domain d left join catalog_app a using (domain)
    where d.failures > 0 and d.domain > :after order by d.domain limit :limit`,
).rows((after: string, limit: number) => ({ after, limit }));

/** @returns how many notification tokens the users of an app have, by state */
export const countClientTokens = selectQuery(
  'count_mini_app_tokens',
  'select status, count(*)::integer as count from mini_app_token where app_id = :appId group by status',
).rows((appId: string) => ({ appId }));
