import type { Reader } from '../../db/statement.js';
import { readQuery, searchQuery } from '../query-function.js';
import { type Audience, visibleTo } from '../visibility.js';
import { accountExists } from './account-exists.js';

/** Position of an account in the results of a search: by tier, then by descending rank, then by fid. */
export interface UserSearchCursor {
  /** 0 the fid itself, 1 the exact username, 2 a username with this prefix, 3 a name that contains or resembles it. */
  readonly tier: number;
  /** For tiers 0 to 2 the score, for tier 3 the similarity of the name, 0 to 1. */
  readonly rank: number;
  readonly fid: number;
}

/** Maximum of names with the prefix that are ranked, in alphabetical order. */
const NAMES = 1000;
/** Maximum of similar names that are ranked. */
const ALIKE = 2000;

const page = (source: string): string => `
  select h.fid as "fid!", h.tier as "tier!", h.rank as "rank!"
    from (${source} order by tier, rank desc, fid) h
   where (h.tier, -h.rank, h.fid) > (:afterTier::integer, :afterRank::float8, :afterFid::bigint) and ${visibleTo('h.fid', ':viewer?', ':appId')}
   order by h.tier, h.rank desc, h.fid
   limit :limit`;

const named = readQuery(
  'person_named',
  page(`
    select a.fid, 0 as tier, a.score::float8 as rank
      from account a where a.fid = :fid?::bigint and ${accountExists('a')}
    union all
    select p.fid, case when p.username = :text::text then 1 else 2 end as tier, p.score::float8 as rank
      from (select a.fid, a.username, a.score from account a
             where a.username ~>=~ :text::text and a.username ~<~ :end::text and ${accountExists('a')}
             order by a.username using ~<~ limit ${NAMES}) p
     where p.fid is distinct from :fid?::bigint`),
).rows();

const NAME = 'lower(normalize(a.display_name, nfkc))';

// Materialized, so that the planner uses the index for the matches regardless of the outer limit.
const others = (name: 'person_alike' | 'person_short', condition: string) =>
  searchQuery(
    name,
    `with found as materialized (
     select a.fid, a.username, ${NAME} as display_name from account a
      where (${condition})
        and ${accountExists('a')}
        and a.fid is distinct from :fid?::bigint
        and not (coalesce(a.username, '') ~>=~ :text::text and coalesce(a.username, '') ~<~ :end::text)
   ) ${page(`
    select f.fid, 3 as tier, greatest(similarity(f.username, :text::text), similarity(f.display_name, :text::text))::float8 as rank
      from (select * from found limit ${ALIKE}) f`)}`,
  ).rows();

const alike = others(
  'person_alike',
  `a.username ilike :pattern::text or ${NAME} like :pattern::text or a.username % :text::text or ${NAME} % :text::text`,
);
/** For a text in which trigrams find nothing. */
const short = others(
  'person_short',
  `name_key(a.display_name) @> name_key(:text::text) and ${NAME} like :pattern::text`,
);

export interface UserSearch {
  /** In NFKC and lower case; must not be empty. */
  readonly text: string;
  /** The fid that the text may also mean. */
  readonly fid: number | undefined;
  readonly after: UserSearchCursor | undefined;
  readonly limit: number;
}

/** Sorts after all texts with the same prefix, by bytes. */
const LAST_CHARACTER = '\u{10FFFF}';

/** Text without three letters or digits in a row has no trigrams, so all names would have to be read. */
const HAS_TRIGRAM = /[\p{L}\p{N}]{3}/u;
/** Without one of these, `name_key` is empty. */
const HAS_KEY = /[^\0-\x7f]|[a-z0-9]{2}/u;

/**
 * Searches accounts by name with at most two statements: the fid itself, the exact username, usernames with this prefix
 * (the highest score first, among the first 1,000 of them), then accounts whose username or display name contains the
 * text or is similar (the most similar first, among 2,000 of them). A text without three letters in a row is looked for in
 * display names: two letters of the alphabet a to z at the beginning of a word, everything else (`田中`, `🎩`) anywhere.
 */
export const searchUsers = async (
  db: Reader,
  { appId, viewer }: Audience,
  { text, fid, after, limit }: UserSearch,
): Promise<UserSearchCursor[]> => {
  const { tier, rank, fid: last } = after ?? { tier: -1, rank: 0, fid: 0 };
  const place = { afterTier: tier, afterRank: -rank, afterFid: last };
  const params = { text, viewer, appId, ...place, fid: fid ?? null, end: text + LAST_CHARACTER };
  const found = tier < 3 ? await named(db, { ...params, limit }) : [];
  const rest = HAS_TRIGRAM.test(text) ? alike : HAS_KEY.test(text) ? short : undefined;
  if (found.length === limit || rest === undefined) return found;
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  return [...found, ...(await rest(db, { ...params, limit: limit - found.length, pattern }))];
};

/** Maximum of accounts for one X username, because any account can claim it. */
const CLAIMANTS = 100;

/** @returns the accounts that claim this X username (in any case), the 100 with the highest score */
export const selectFidsByXUsername = readQuery(
  'person_by_x_username',
  `select s.fid
     from (select a.fid, a.score from account a
            where lower(a.x_username) = lower(:xUsername::text) and ${accountExists('a')}
            order by a.score desc, a.fid) s
    where ${visibleTo('s.fid', ':viewer?', ':appId')}
    order by s.score desc, s.fid
    limit ${CLAIMANTS}`,
).column('fid', (xUsername: string, { appId, viewer }: Audience) => ({ xUsername, viewer, appId }));
