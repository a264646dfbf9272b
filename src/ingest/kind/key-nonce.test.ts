import { MessageType } from '@farcaster/core';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { openTestIngest } from '../../../test/support/ingest.js';
import { keyAdd, keyRemove, keySelfRemove } from '../../../test/support/key-message.js';
import { rounds } from '../../../test/support/rounds.js';
import { type Author, author } from '../../sample/author.js';
import { createClock, sampleTime } from '../../sample/clock.js';
import { signerKey } from '../../sample/key.js';
import { selectAppNonces, selectCustodyNonces } from '../../store/protocol/key-nonce.js';
import type { SubmitOptions } from '../ingest-outcome.js';
import type { IngestItem } from '../item.js';
import { audit } from '../pipeline/audit.js';
import type { Ingest } from '../pipeline/pipeline.js';

let fixture: TestDatabase;
let ingest: Ingest;

const QUIET: SubmitOptions = { source: 'file', announce: false };
const clock = createClock(sampleTime() - 86_400);
const person = (fid: number): Author => author({ seed: 'nonces', fid, clock });
const [alice, firstApp, secondApp] = [person(301), person(302), person(303)];
const key = signerKey(new Uint8Array(32).fill(7));

beforeAll(async () => {
  fixture = await openTestDatabase();
  ingest = openTestIngest(fixture.db);
});
afterAll(() => fixture.drop());

/** One key, registered for two apps in turn, that removes itself from each. */
const history = async (): Promise<IngestItem[]> => {
  const at = () => clock.tick();
  const messages = [
    await keyAdd(alice, { key, nonce: 4, app: firstApp, at: at() }),
    keySelfRemove(alice, { key, nonce: 30, at: at() }),
    await keyAdd(alice, { key, nonce: 6, app: secondApp, at: at() }),
    await keyAdd(alice, { key, nonce: 9, app: secondApp, at: at() }),
    keySelfRemove(alice, { key, nonce: 20, at: at() }),
    await keyRemove(alice, { key, nonce: 7, at: at() }),
  ];
  return messages.map(({ item }) => item);
};

test('nonces are the same after any order and repetition of messages', async () => {
  const items = await history();
  const apps = [firstApp.fid, secondApp.fid];
  const orders = fc.shuffledSubarray([...items, ...items], { minLength: 2 * items.length });
  const course = async (order: IngestItem[], size: number): Promise<void> => {
    await fixture.db.script(
      ['message', 'key_nonce', 'signer_key', 'account', 'onchain_event', 'address_owner']
        .map((table) => `delete from ${table}`)
        .join('; '),
    );
    await ingest.submit(
      [alice, firstApp, secondApp].map((one) => one.register()),
      QUIET,
    );
    for (let start = 0; start < order.length; start += size)
      expect((await ingest.submit(order.slice(start, start + size), QUIET)).invalid).toEqual({});
    const { db } = fixture;
    expect(await selectCustodyNonces(db, [alice.fid])).toEqual(new Map([[alice.fid, 9]]));
    expect(await selectAppNonces(db, apps)).toEqual(
      new Map([
        [firstApp.fid, 30],
        [secondApp.fid, 20],
      ]),
    );
    expect(await audit(db)).toEqual([]);
  };
  await fc.assert(fc.asyncProperty(orders, fc.integer({ min: 1, max: 12 }), course), { numRuns: rounds(8) });
});

test('of what the custody address signed, the highest nonce decides, in any order', async () => {
  const [early, middle, late] = [clock.tick(), clock.tick(), clock.tick()];
  const scopes = [MessageType.REACTION_ADD];
  const messages = [
    await keyAdd(alice, { key, nonce: 11, app: firstApp, at: late }),
    await keyRemove(alice, { key, nonce: 12, at: middle }),
    await keyAdd(alice, { key, nonce: 13, app: secondApp, at: early, scopes }),
  ];
  const items = messages.map(({ item }) => item);
  for (const order of [items, items.toReversed(), [...items.slice(1), ...items]]) {
    await fixture.db.script('delete from message; delete from key_nonce; delete from signer_key');
    for (const item of order) await ingest.submit([item], QUIET);
    const [stored] = await fixture.db.run('select active, scopes, request_fid from signer_key');
    expect(stored).toEqual({ active: true, scopes, request_fid: secondApp.fid });
    expect(await audit(fixture.db)).toEqual([]);
  }
});

test('the audit shows a nonce that is missing', async () => {
  await fixture.db.run('delete from key_nonce');
  expect((await audit(fixture.db)).map(({ what }) => what)).toEqual(['key_nonce']);
});
