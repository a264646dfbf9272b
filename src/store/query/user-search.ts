import { accountExists } from './account-exists.js';
import { type Reader, searchStatement, statement } from '../database.js';
import { type Audience, visibleTo } from '../visibility.js';

/** Where an account stands among the results of a search: by tier, then the higher rank, then the lower fid. */
export interface PersonPlace {
  /** 0 the fid itself, 1 the very name, 2 names that begin so, 3 names that hold it or are like it. */
  readonly tier: number;
  /** Of tiers 0 to 2 the score; of tier 3 how much the name is alike, 0 to 1. */
  readonly rank: number;
  readonly fid: number;
}

/** How many of the names that begin with the text, in their own order, are ranked. */
const NAMES = 1000;
/** How many of the names that are like the text are ranked. */
const ALIKE = 2000;

const page = (source: string): string => `
  select h.fid, h.tier, h.rank
    from (${source} order by tier, rank desc, fid) h
   where (h.tier, -h.rank, h.fid) > ($4::integer, $5::float8, $6::bigint) and ${visibleTo('h.fid', '$2', '$3')}
   order by h.tier, h.rank desc, h.fid
   limit $7`;

const named = statement<PersonPlace>(
  'person_named',
  page(`
    select a.fid, 0 as tier, a.score::float8 as rank
      from account a where a.fid = $8::bigint and ${accountExists('a')}
    union all
    select p.fid, case when p.username = $1::text then 1 else 2 end as tier, p.score::float8 as rank
      from (select a.fid, a.username, a.score from account a
             where a.username ~>=~ $1::text and a.username ~<~ $9::text and ${accountExists('a')}
             order by a.username using ~<~ limit ${NAMES}) p
     where p.fid is distinct from $8::bigint`),
);

// Materialized, so that the planner finds the matches through the index whatever it thinks of the limit behind them.
const alike = searchStatement<PersonPlace>(
  'person_alike',
  `with found as materialized (
     select a.fid, a.username, a.display_name from account a
      where (a.username ilike $10::text or a.display_name ilike $10::text
             or a.username % $1::text or a.display_name % $1::text)
        and ${accountExists('a')}
        and a.fid is distinct from $8::bigint
        and not (coalesce(a.username, '') ~>=~ $1::text and coalesce(a.username, '') ~<~ $9::text)
   ) ${page(`
    select f.fid, 3 as tier, greatest(similarity(f.username, $1::text), similarity(f.display_name, $1::text))::float8 as rank
      from (select * from found limit ${ALIKE}) f`)}`,
);

export interface PersonSearch {
  /** In lower case; must not be empty. */
  readonly text: string;
  /** The account that the text may also mean. */
  readonly fid: number | undefined;
  readonly after: PersonPlace | undefined;
  readonly limit: number;
}

/** Behind every text that begins with the same characters, by bytes. */
const LAST_CHARACTER = '\u{10FFFF}';

/** Without three letters or digits in a row there is no trigram to go by, and all names would have to be read. */
const HAS_TRIGRAM = /[\p{L}\p{N}]{3}/u;

/**
 * Accounts by name, two statements at most: who is the fid, who has this very username, whose username begins so
 * (the higher score first, among the first 1,000 such names), then whose username or display name holds the text or is
 * like it (the most alike first, among 2,000 such names).
 */
export const selectPeople = async (
  db: Reader,
  { appId, viewer }: Audience,
  { text, fid, after, limit }: PersonSearch,
): Promise<PersonPlace[]> => {
  const { tier, rank, fid: last } = after ?? { tier: -1, rank: 0, fid: 0 };
  const params = (wanted: number) => [
    ...[text, viewer, appId, tier, -rank, last, wanted],
    ...[fid ?? null, text + LAST_CHARACTER],
  ];
  const found = tier < 3 ? await db.read(named, params(limit)) : [];
  if (found.length === limit || !HAS_TRIGRAM.test(text)) return found;
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  return [...found, ...(await db.read(alike, [...params(limit - found.length), pattern]))];
};

/** Most accounts that are shown for one name elsewhere: anybody can claim it. */
const CLAIMANTS = 100;

const byXUsername = statement<{ fid: number }>(
  'person_by_x_username',
  `select s.fid
     from (select a.fid, a.score from account a
            where lower(a.x_username) = lower($1::text) and ${accountExists('a')}
            order by a.score desc, a.fid) s
    where ${visibleTo('s.fid', '$2', '$3')}
    order by s.score desc, s.fid
    limit ${CLAIMANTS}`,
);

/** @returns the accounts that name this account of platform x (in any case) as theirs, the 100 with the highest score. */
export const selectFidsByXUsername = async (
  db: Reader,
  xUsername: string,
  { appId, viewer }: Audience,
): Promise<number[]> => (await db.read(byXUsername, [xUsername, viewer, appId])).map((row) => row.fid);
