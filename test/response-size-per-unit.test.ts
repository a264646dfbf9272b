import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPrice } from '../src/api/cost/cost.js';
import { operations } from '../src/api/operation-list.js';
import { generateSampleNetwork } from '../src/sample/network.js';
import { type Network, startNetwork } from './support/network.js';

/** The rule of `docs/billing.md`: an answer is never longer than this for each compute unit that it costs. */
const BYTES_FOR_A_UNIT = 16 * 1024;
const HEADER = 'x-compute-units';

let network: Network;
/** The account with the most follows, and the cast that most replies hang below. */
let fid: number;
let root: string;
/** A cast with many casts above it. */
let leaf: string;
const all: number[] = [];
const hashes: string[] = [];

beforeAll(async () => {
  network = await startNetwork();
  for await (const items of generateSampleNetwork({
    accounts: 120,
    casts: 1500,
    reactions: 3000,
    follows: 3000,
  }).items()) {
    expect((await network.load(items)).invalid).toEqual({});
  }
  const [most] = await network.sql<{ fid: number }>(
    'select target_fid as fid from link group by 1 order by count(*) desc, 1 limit 1',
  );
  fid = (most as { fid: number }).fid;
  all.push(
    ...(await network.sql<{ fid: number }>('select fid from account order by fid limit 100')).map((row) => row.fid),
  );
  const hash = `'0x' || encode(hash, 'hex') as hash`;
  const casts = await network.sql<{ hash: string }>(
    `select ${hash} from "cast" order by octet_length(text) desc limit 100`,
  );
  hashes.push(...casts.map((row) => row.hash));
  // A thread as wide and as deep as a conversation shows, and one of 500 casts above another.
  const key = (number: string): string => `decode(lpad(to_hex(${number}), 40, '0'), 'hex')`;
  await network.sql(
    `insert into "cast" (fid, hash, ts, text, root_fid, root_hash, signer, parent_fid, parent_hash)
     select $1, ${key('number')}, 1000 + number, repeat('word ', 64), $1, ${key('9999')}, decode(repeat('00', 32), 'hex'),
            case when parent > 0 then $1::bigint end, case when parent > 0 then ${key('parent')} end
       from (select 9999 as number, 0 as parent
              union all select 10000 + n, 9999 from generate_series(1, 50) n
              union all select 10000 * level + n, 10000 * (level - 1) + 1 + n % 10
                          from generate_series(2, 5) level, generate_series(1, 100) n
              union all select 70000 + n, case n when 1 then 9999 else 70000 + n - 1 end from generate_series(1, 500) n) thread`,
    [fid],
  );
  const added = `from "cast" where fid = $1 and hash < ${key('100000')}`;
  await network.sql(
    `insert into cast_reply (parent_fid, parent_hash, ts, hash, fid)
     select parent_fid, parent_hash, ts, hash, fid ${added} and parent_hash is not null`,
    [fid],
  );
  const name = (number: number): string => `0x${number.toString(16).padStart(40, '0')}`;
  root = name(9999);
  leaf = name(70_500);
}, 240_000);
afterAll(() => network.stop());

const list = (path: string) => [`${path}&limit=1`, `${path}&limit=100`];
const conversation = (hash: string, more: string) =>
  `/v2/social/cast/conversation/?type=hash&identifier=${hash}&${more}`;

/** Reads of each kind, as large and as small as they may be asked for. */
const paths = (): string[] => [
  `/v2/social/user/bulk/?fids=${all.join(',')}`,
  `/v2/social/user/bulk/?fids=${fid}`,
  `/v2/social/user/best_friends/?fid=${fid}&limit=100`,
  '/v2/social/user/search/?q=a&limit=10',
  '/v2/social/user/by_location/?latitude=52.5&longitude=13.4&limit=100',
  `/v2/social/cast/?type=hash&identifier=${root}`,
  `/v2/social/casts/?casts=${hashes.join(',')}`,
  ...list('/v2/social/cast/search/?q=the'),
  ...[1, 20, 50].flatMap((limit) =>
    [0, 2, 5].flatMap((depth) => [
      conversation(root, `limit=${limit}&reply_depth=${depth}`),
      conversation(leaf, `limit=${limit}&reply_depth=${depth}&include_chronological_parent_casts=true`),
    ]),
  ),
  ...list(`/v2/social/feed/user/casts/?fid=${fid}`),
  ...list(`/v2/social/feed/following/?fid=${fid}`),
  ...list(`/v2/social/feed/user/replies_and_recasts/?fid=${fid}`).map((path) => path.replace('limit=100', 'limit=50')),
  `/v2/social/feed/user/popular/?fid=${fid}`,
  ...list(`/v2/social/followers/?fid=${fid}`),
  ...list(`/v2/social/following/?fid=${fid}`),
  `/v2/social/followers/relevant/?target_fid=${fid}&viewer_fid=${all[0]}`,
  `/v2/social/following/suggested/?fid=${fid}&limit=100`,
  ...list(`/v2/social/reactions/user/?fid=${fid}&type=all`),
  ...list(`/v2/social/reactions/cast/?hash=${root}&types=all`),
  ...list(`/v2/social/notifications/?fid=${fid}`).map((path) => path.replace('limit=100', 'limit=25')),
  `/v1/castsByFid?fid=${fid}&pageSize=1000`,
  `/v1/linksByTargetFid?target_fid=${fid}&link_type=follow&pageSize=1000`,
  '/v1/fids?shard_id=1&pageSize=1000',
  '/v1/events?from_event_id=0&pageSize=1000',
  `/v1/userDataByFid?fid=${fid}`,
];

test('an answer is no longer than 16 KB for each compute unit that it costs', async () => {
  const found: { path: string; units: number; bytes: number }[] = [];
  for (const path of paths()) {
    const response = await fetch(`${network.url}${path}`, { headers: { 'x-api-key': network.apiKey } });
    const { length: bytes } = Buffer.from(await response.arrayBuffer());
    expect(`${response.status} ${path}`).toBe(`200 ${path}`);
    found.push({ path, units: Number(response.headers.get(HEADER)), bytes });
  }
  expect(found.filter(({ units, bytes }) => units < 1 || bytes > units * BYTES_FOR_A_UNIT)).toEqual([]);
  // The sample is large enough to tell.
  expect(Math.max(...found.map(({ bytes }) => bytes))).toBeGreaterThan(500_000);
}, 120_000);

test('each item that an operation may be asked for costs something, and so does a call that names none', () => {
  for (const operation of operations) {
    const { cost } = operation;
    if ('fixed' in cost || operation.id === 'lookup-cast-conversation') continue;
    expect(createPrice(operation)({ [cost.of]: [] }, { [cost.of]: [] }), operation.id).toBeGreaterThan(0);
  }
});

test('a refused list costs what a refusal costs, however long it is', async () => {
  const cost = async (method: string, path: string, body: unknown) => {
    const { status, headers } = await network.send(method, path, body);
    return [status, Number(headers.get(HEADER))];
  };
  const fids = Array.from({ length: 150_000 }, (_, index) => index + 1);
  expect(await cost('POST', '/v2/social/ban/', { fids })).toEqual([400, 10]);
  expect(await cost('DELETE', '/v2/social/ban/', { fids })).toEqual([400, 10]);
  const signer_uuid = '00000000-0000-4000-8000-000000000001';
  const [status, units] = await cost('POST', '/v2/social/user/follow/', {
    signer_uuid,
    target_fids: fids.slice(0, 100),
  });
  expect([400, 403, 404]).toContain(status);
  expect(units).toBe(10);
  expect((await cost('POST', '/v2/social/user/follow/', { signer_uuid, target_fids: [] }))[1]).toBe(10);
});
