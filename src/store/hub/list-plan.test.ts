import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { expectIndexed, explainReads, planNodes } from '../../../test/support/plan.js';
import type { Database } from '../../db/database.js';
import { selectAddressType } from './address-type.js';
import {
  selectChannel,
  selectChannelFollow,
  selectChannelFollowerCount,
  selectChannelFollowers,
  selectChannelFollows,
  selectChannelsByAddress,
  selectChannelsByOwner,
} from './channel.js';
import {
  selectChannelMemberships,
  selectChannelModerations,
  selectChannelSlot,
  selectChannelSlots,
} from './channel-slot.js';
import {
  selectKeyCounts,
  selectMessageKey,
  selectMessageKeys,
  selectOnchainKey,
  selectOnchainKeys,
  selectRequesterNonces,
} from './signer.js';

let fixture: TestDatabase;
beforeAll(async () => {
  fixture = await openTestDatabase();
});
afterAll(() => fixture.drop());

const id = new Uint8Array(32).fill(1);
const hash = new Uint8Array(20).fill(2);
type Work = (db: Database) => Promise<unknown>;

const reads: [string, Work][] = [
  ['a key that is registered onchain', (db) => selectOnchainKey(db, 1, id)],
  ['a key that a message registered', (db) => selectMessageKey(db, 1, id)],
  ['numbers of keys', (db) => selectKeyCounts(db, 1)],
  ['nonces of apps', (db) => selectRequesterNonces(db, [1, 2])],
  ['what an address is', (db) => selectAddressType(db, 1, hash, id)],
  ['a channel', (db) => selectChannel(db, id)],
  ['channels of an account', (db) => selectChannelsByOwner(db, 1, undefined, 9)],
  ['more channels of an account', (db) => selectChannelsByOwner(db, 1, { address: hash, id }, 9)],
  ['what an account is to a channel', (db) => selectChannelSlot(db, id, 1)],
  ['a follow', (db) => selectChannelFollow(db, id, 1)],
  ['the number of follows', (db) => selectChannelFollowerCount(db, id)],
];

/** Lists in both directions, from their beginning and from a place. */
const directed = [false, true].flatMap((reverse): [string, Work][] => {
  const of = (name: string) => `${name}${reverse ? ', in reverse' : ''}`;
  const [first, next] = [
    { after: undefined, reverse, limit: 9 },
    { reverse, limit: 9 },
  ];
  const place = { blockNumber: 1, logIndex: 1, key: id };
  return [
    [of('keys that are registered onchain'), (db) => selectOnchainKeys(db, 1, { ...next, after: place })],
    [of('keys that messages registered'), (db) => selectMessageKeys(db, 1, first)],
    [of('channels of an address'), (db) => selectChannelsByAddress(db, hash, first)],
    [of('more channels of an address'), (db) => selectChannelsByAddress(db, hash, { ...next, after: id })],
    [of('accounts of a channel'), (db) => selectChannelSlots(db, id, undefined, first)],
    [of('accounts of a channel with a state'), (db) => selectChannelSlots(db, id, 'member', first)],
    [of('channels of an account'), (db) => selectChannelMemberships(db, 1, first)],
    [of('moderated casts'), (db) => selectChannelModerations(db, id, first)],
    [of('followers'), (db) => selectChannelFollowers(db, id, first)],
    [of('follows'), (db) => selectChannelFollows(db, 1, first)],
    [of('more follows'), (db) => selectChannelFollows(db, 1, { ...next, after: { followedAt: new Date(), key: 'a' } })],
  ];
});

test.each([...reads, ...directed])(
  '%s: one statement, and no plan that reads a table from end to end',
  async (_, work) => {
    const plans = await explainReads(fixture.db, work, { fewRows: true });
    expect(plans).toHaveLength(1);
    expectIndexed(plans);
  },
);

/** Lists whose order an index has, of many rows. */
const sorted = directed.filter(([name]) => !/channels of an address|keys/.test(name));

test('the lists of many rows are read in the order of an index', async () => {
  const { db } = fixture;
  await db.script(`
    insert into protocol_channel (id, key, registered_at, block_number, log_index, shown_url)
      select decode(repeat('01', 32), 'hex'), 'k1', now(), 1, 1, 'https://shown.example/';
    insert into channel (id, parent_url, url, name, source, created_at, updated_at)
      select 'k' || n, 'https://shown.example/' || n, '', 'Name', 'protocol', now(), now() from generate_series(1, 3000) n;
    insert into channel_follow select 'k1', n, now() from generate_series(2, 20000) n;
    insert into channel_follow select 'k' || n, 1, now() - n * interval '1 second' from generate_series(1, 3000) n;
    insert into protocol_channel_slot
      select decode(repeat('01', 32), 'hex'), n, 'member', now(), 1 from generate_series(1, 8192) n;
    insert into protocol_channel_slot
      select decode(md5(n::text) || md5(n::text), 'hex'), 1, 'member', now(), 1 from generate_series(1, 8192) n;
    insert into protocol_channel_moderation
      select decode(repeat('01', 32), 'hex'), decode(md5(n::text) || '00000000', 'hex'), true, 1
        from generate_series(1, 16384) n;
    analyze`);
  for (const [name, work] of sorted) {
    const plans = await explainReads(db, work);
    const nodes = plans.flatMap(({ custom, generic }) => [custom, generic].flatMap(planNodes));
    expect.soft({ name, sorts: nodes.filter((node) => /Sort/.test(node['Node Type'])) }).toEqual({ name, sorts: [] });
  }
});
