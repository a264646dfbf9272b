import { afterAll, beforeAll, expect, test } from 'vitest';
import { MessageSet } from '../src/protocol/conflict.js';
import { sampleTime } from '../src/sample/clock.js';
import { INVALIDATE_ALL } from '../src/store/change.js';
import { insertLocations } from '../src/store/protocol/account.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';
import { markHandlers, namesOf, type Sent, watchHandlers } from './support/sent-statement.js';

/** Accounts that all do the same, at the same place; the viewer mutes all but the last. */
const FIRST = 500_000;
const MUTED = 10_000;
const LEFT = 100;

let network: Network;
let seeded: Seeded;
let sentNow: () => Sent[];

const hash = (salt: number): string => `decode(lpad(to_hex(f + ${salt}), 40, '0'), 'hex')`;
/** Later than what the seed holds, so that the crowd fills the first pages; its first account did it last. */
const NEWEST = sampleTime() - 40_000;
const ts = `${NEWEST} - (f - ${FIRST})`;
const CAST = 0;

beforeAll(async () => {
  markHandlers();
  network = await startNetwork();
  sentNow = watchHandlers(network);
  seeded = await seedBasics((items) => network.load(items));
  const { erin, dan } = FIDS;
  const from = `from generate_series(${FIRST}, ${FIRST + MUTED + LEFT - 1}) f`;
  const liked = `'\\x${Buffer.from(seeded.casts.quote.hash).toString('hex')}'::bytea`;
  const { db } = network.app.core;
  await db.script(`
    insert into account (fid, first_ts, latitude, longitude) select f, 1, 10, 10 ${from};
    insert into link (target_fid, type, ts, hash, fid) select who, 1, ${ts}, ${hash(1_000_000)}, f ${from}, (values (${erin}), (${dan})) w(who);
    insert into "cast" (fid, hash, ts, text, mentions, mention_positions, root_fid, root_hash, signer)
      select f, ${hash(CAST)}, ${ts}, 'I say', '{${dan}}', '{1}', f, ${hash(CAST)}, ''::bytea ${from};
    insert into cast_mention (mentioned_fid, ts, hash, fid, notified_fid) select ${dan}, ${ts}, ${hash(CAST)}, f, ${dan} ${from};
    insert into message (fid, message_set, key, type, subtype, ts, hash, signer, signature, data, target_fid)
      select ${dan}, ${MessageSet.link}, ${hash(CAST)}, 5, 1, ${ts}, ${hash(2_000_000)}, ''::bytea, ''::bytea, ''::bytea, f ${from};
    insert into reaction (target_fid, target_hash, type, ts, hash, fid) select ${dan}, ${liked}, 1, ${ts}, ${hash(3_000_000)}, f ${from};
    update reaction_group set latest_ts = ${NEWEST} where target_fid = ${dan} and target_hash = ${liked} and type = 1;
    analyze`);
  await insertLocations(db, [FIRST]);
});
afterAll(() => network.stop());

const left = (count: number): number[] => Array.from({ length: count }, (_, n) => FIRST + MUTED + n);
const authors = ({ body }: TestResponse): number[] =>
  (body.casts ?? body.notifications.map((one: { cast: unknown }) => one.cast)).map(
    (cast: { author: { fid: number } }) => cast.author.fid,
  );
const actors =
  (kind: 'reactions' | 'follows') =>
  ({ body }: TestResponse): number[] =>
    body.notifications[0][kind].map(({ user }: { user: { fid: number } }) => user.fid);
const users = ({ body }: TestResponse): number[] =>
  body.users.map((one: { fid?: number; user?: { fid: number } }) => one.user?.fid ?? one.fid);

/** Lists that the muted would fill; the notifications are those of the viewer. */
const LISTS: readonly { path: string; shown: (answer: TestResponse) => number[]; full: number }[] = [
  { path: `followers/?fid=${FIDS.erin}&viewer_fid=${FIDS.dan}&limit=100`, shown: users, full: 100 },
  { path: `user/by_location/?latitude=10&longitude=10&viewer_fid=${FIDS.dan}&limit=100`, shown: users, full: 100 },
  { path: `feed/following/?fid=${FIDS.dan}&viewer_fid=${FIDS.dan}&limit=100`, shown: authors, full: 100 },
  {
    path: `feed/?feed_type=following&fid=${FIDS.dan}&viewer_fid=${FIDS.dan}&limit=100`,
    shown: authors,
    full: 100,
  },
  { path: `notifications/?fid=${FIDS.dan}&type=mentions&limit=25`, shown: authors, full: 25 },
  { path: `notifications/?fid=${FIDS.dan}&type=likes&limit=25`, shown: actors('reactions'), full: 10 },
  { path: `notifications/?fid=${FIDS.dan}&type=follows&limit=25`, shown: actors('follows'), full: 10 },
];

const pages = async (): Promise<{ fids: number[]; sent: string[] }[]> => {
  const found = [];
  for (const { path, shown } of LISTS) {
    network.app.invalidate(INVALIDATE_ALL);
    sentNow();
    const answer = await network.get(`/v2/social/${path}`);
    expect({ path, status: answer.status }).toEqual({ path, status: 200 });
    found.push({ fids: shown(answer), sent: namesOf(sentNow()) });
  }
  return found;
};

test('ten thousand mutes: pages are full of the others, and cost as many statements as before', async () => {
  const before = await pages();
  for (const [index, { fids }] of before.entries()) {
    const { path, full } = LISTS[index] as (typeof LISTS)[number];
    expect({ path, fids }).toEqual({ path, fids: Array.from({ length: full }, (_, n) => FIRST + n) });
  }
  await network.sql(
    `insert into mute (fid, app_id, muted_fid)
     select $1, (select app_id from api_key limit 1), f from generate_series($2::int, $3::int) f`,
    [FIDS.dan, FIRST, FIRST + MUTED - 1],
  );
  // Either database does so within a minute; plans for no mutes at all would look through them one by one.
  await network.sql('analyze mute');
  const after = await pages();
  for (const [index, { fids, sent }] of after.entries()) {
    const { path, full } = LISTS[index] as (typeof LISTS)[number];
    expect({ path, fids }).toEqual({ path, fids: left(full) });
    expect({ path, sent }).toEqual({ path, sent: before[index]?.sent });
  }
});
