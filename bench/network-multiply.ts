import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { dropIndexes } from './index-drop.js';
import type { Progress } from './progress.js';
import type { Target } from './target.js';

/** How many times as large the network becomes. */
const TIMES = 10;

/** Channels of a small network have members that are no accounts. */
const LARGEST = `
  select greatest((select max(fid) from account), (select max(fid) from channel_member))::float8 as largest`;

/**
 * The n-th copy of a row. Its account is fid + n times the largest fid; 0 stands for URLs and stays. Its hash differs in the
 * first byte, so that copies are far apart in an index. Its time is n times 37 seconds earlier, so that few rows share one.
 */
const FUNCTIONS = (largest: number): string => `
  create function pg_temp.fid(fid bigint, n integer) returns bigint language sql immutable
    return case when fid = 0 then 0 else fid + n * ${largest}::bigint end;
  create function pg_temp.bytes(bytes bytea, n integer) returns bytea language sql immutable
    return set_byte(bytes, 0, (get_byte(bytes, 0) + 25 * n) % 256);
  create function pg_temp.name(name text, n integer) returns text language sql immutable
    return case when n = 0 then name else name || '-' || n end;`;

/** A list of a popular account or cast grows with the network: what refers to the first hundredth refers to the original. */
const POPULAR = `
  create temp table popular_account as
    select fid from account order by follower_count desc, fid limit (select count(*) / 100 from account);
  create temp table popular_cast as
    select fid, hash from cast_count order by like_count desc, hash limit (select count(*) / 100 from "cast");
  create index on popular_account (fid);
  create index on popular_cast (hash);
  analyze popular_account, popular_cast`;

const ACCOUNTS = ['fid', 'target_fid', 'parent_fid', 'root_fid', 'notified_fid'];
const HASHES = ['hash', 'target_hash', 'parent_hash', 'root_hash', 'message_hash', 'transaction_hash'];
const ADDRESSES = ['address', 'owner', 'custody_address', 'primary_eth_address'];
const NAMES = ['name', 'username', 'claimed_username'];
const TIMESTAMPS = ['ts', 'latest_ts', 'first_ts'];

interface TableCopy {
  /** Joins of the row, which is called r, and a condition. */
  readonly rest?: string;
  /** Expressions of columns that differ from the rule of their name. */
  readonly columns?: Readonly<Record<string, string>>;
}

const ofPopular = (column: string): string => `${column} * case when p.fid is null then 1 else ${TIMES} end`;
/** A parent or target with fid 0 is the digest of a URL. */
const unlessUrl = (fid: string, hash: string): string =>
  `case when ${fid} = 0 then ${hash} else pg_temp.bytes(${hash}, n) end`;
const MENTION = { notified_fid: 'r.notified_fid' };

const TABLES: Readonly<Record<string, TableCopy>> = {
  account: {
    rest: 'left join popular_account p using (fid)',
    columns: {
      follower_count: `case when p.fid is null then r.follower_count when n = 0 then r.follower_count * ${TIMES} else 0 end`,
    },
  },
  message: {
    rest: `left join popular_account p on r.type = 5 and p.fid = r.target_fid
           left join popular_cast c on r.type = 3 and c.hash = r.target_hash`,
    columns: {
      target_fid: 'case when coalesce(p.fid, c.fid) is null then pg_temp.fid(r.target_fid, n) else r.target_fid end',
      target_hash: `case when c.fid is null then ${unlessUrl('coalesce(r.target_fid, 0)', 'r.target_hash')} else r.target_hash end`,
    },
  },
  cast: {},
  cast_reply: { columns: { parent_hash: unlessUrl('r.parent_fid', 'r.parent_hash') } },
  cast_mention: { columns: MENTION },
  cast_quote: { columns: MENTION },
  cast_count: {
    rest: 'left join popular_cast p on p.hash = r.hash where n = 0 or p.fid is null',
    columns: { like_count: ofPopular('r.like_count'), recast_count: ofPopular('r.recast_count') },
  },
  reaction: {
    rest: 'left join popular_cast c on c.hash = r.target_hash',
    columns: {
      target_fid: 'case when c.fid is null then pg_temp.fid(r.target_fid, n) else r.target_fid end',
      target_hash: `case when c.fid is null then ${unlessUrl('r.target_fid', 'r.target_hash')} else r.target_hash end`,
    },
  },
  reaction_group: {
    rest: 'left join popular_cast c on c.hash = r.target_hash where n = 0 or (c.fid is null and r.target_fid <> 0)',
    columns: { target_hash: unlessUrl('r.target_fid', 'r.target_hash') },
  },
  link: {
    rest: 'left join popular_account p on p.fid = r.target_fid',
    columns: { target_fid: 'case when p.fid is null then pg_temp.fid(r.target_fid, n) else r.target_fid end' },
  },
  block: {},
  verification: {},
  address_owner: {},
  username_proof: {},
  onchain_event: {},
  signer_key: {},
  channel_follow: {},
  channel_member: {},
};

/** Every account is in a channel that its original is in. */
const CHANNEL_COUNTS = `
  update channel set follower_count = follower_count * ${TIMES}, member_count = member_count * ${TIMES};
  update channel_activity set cast_count_1d = cast_count_1d * ${TIMES}, cast_count_7d = cast_count_7d * ${TIMES},
                              cast_count_30d = cast_count_30d * ${TIMES}`;

const expressionOf = (column: string, { columns }: TableCopy): string => {
  const own = columns?.[column];
  if (own !== undefined) return own;
  const value = `r.${pg.escapeIdentifier(column)}`;
  if (ACCOUNTS.includes(column)) return `pg_temp.fid(${value}, n)`;
  if (HASHES.includes(column) || ADDRESSES.includes(column)) return `pg_temp.bytes(${value}, n)`;
  if (NAMES.includes(column)) return `pg_temp.name(${value}, n)`;
  if (TIMESTAMPS.includes(column)) return `${value} - 37 * n`;
  return value;
};

const copyTable = async (from: pg.Client, to: pg.Client, table: string): Promise<void> => {
  const { rows } = await from.query<{ name: string }>(
    `select attname as name from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [pg.escapeIdentifier(table)],
  );
  const names = rows.map(({ name }) => pg.escapeIdentifier(name));
  const copy = TABLES[table] as TableCopy;
  const expressions = rows.map(({ name }) => expressionOf(name, copy));
  const query = `select ${expressions.join(', ')}
    from ${pg.escapeIdentifier(table)} r cross join generate_series(0, ${TIMES - 1}) n ${copy.rest ?? ''}`;
  const source = from.query(copyTo(`copy (${query}) to stdout (format binary)`));
  const target = to.query(
    copyFrom(`copy ${pg.escapeIdentifier(table)} (${names.join(', ')}) from stdin (format binary)`),
  );
  await pipeline(source, target);
};

/** Replaces the rows of a copy by ten times as many. */
const fill = async (source: Target, multiple: Target, progress: Progress): Promise<void> => {
  const from = new pg.Client({ connectionString: source.url });
  const to = new pg.Client({ connectionString: multiple.url });
  await Promise.all([from.connect(), to.connect()]);
  try {
    const [row] = (await from.query<{ largest: number }>(LARGEST)).rows;
    await from.query(`${FUNCTIONS(row?.largest ?? 0)}; ${POPULAR}`);
    await to.query(`set maintenance_work_mem = '1GB'; set synchronous_commit = off`);
    const tables = Object.keys(TABLES);
    progress.start('copies of the network', tables.length, 'tables');
    for (const table of tables) {
      await to.query(`truncate ${pg.escapeIdentifier(table)}`);
      const createIndexes = await dropIndexes(to, table);
      await copyTable(from, to, table);
      for (const statement of createIndexes) await to.query(statement);
      progress.add(1);
    }
    await to.query(CHANNEL_COUNTS);
  } finally {
    progress.stop();
    await Promise.all([from.end(), to.end()]);
  }
  await multiple.vacuum();
};

/**
 * Copies a loaded network, ten times as large: every account with all that it wrote, nine times more, by COPY and without
 * verification. The signatures and the wire bytes of the copies are those of the originals, so it is for reads alone.
 * @throws unless the database is on a server; it needs room for the copy
 */
export const multiplyNetwork = async (source: Target, progress: Progress): Promise<Target> => {
  const multiple = await source.copy(`x${TIMES}`);
  await fill(source, multiple, progress).catch(async (error) => {
    await multiple.drop();
    throw error;
  });
  return multiple;
};
