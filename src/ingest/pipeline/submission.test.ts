import { UserDataType } from '@farcaster/core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { openTestIngest } from '../../../test/support/ingest.js';
import { keyAdd, keyRemove, keySelfRemove } from '../../../test/support/key-message.js';
import { fromUnixMs } from '../../protocol/time.js';
import { type Author, author } from '../../sample/author.js';
import { createClock } from '../../sample/clock.js';
import { signerKey } from '../../sample/key.js';
import { derive } from '../../sample/random.js';
import type { Signed } from '../../sample/signed-message.js';
import type { SubmitOptions } from '../ingest-outcome.js';
import type { IngestItem } from '../item.js';
import { audit } from './audit.js';
import type { Ingest } from './pipeline.js';

let fixture: TestDatabase;
let ingest: Ingest;

const QUIET: SubmitOptions = { source: 'file', announce: false };
const LOCAL: SubmitOptions = { source: 'local', announce: true };
const clock = createClock(fromUnixMs(Date.now()) - 500);
const keyOf = (index: number) => signerKey(new Uint8Array(32).fill(40 + index));

let next = 400;
/** Accounts with a registration, five units and a key. */
const join = async (count: number): Promise<Author[]> => {
  const people = Array.from({ length: count }, () => author({ seed: 'batch', fid: next++, clock }));
  for (const person of people)
    expect((await ingest.submit([person.register(), person.rent(5), await person.addSigner()], QUIET)).invalid).toEqual(
      {},
    );
  return people;
};

/** Submits all in one call, and returns how each ended. */
const submit = async (...messages: readonly (Signed | IngestItem)[]): Promise<string[]> => {
  const items = messages.map((one) => ('item' in one ? one.item : one));
  const { outcomes } = await ingest.submit(items, LOCAL);
  return outcomes.map((outcome) => (outcome.status === 'invalid' ? outcome.reason : outcome.status));
};

beforeAll(async () => {
  fixture = await openTestDatabase();
});
beforeEach(() => {
  ingest = openTestIngest(fixture.db);
});
afterAll(async () => {
  expect(await audit(fixture.db)).toEqual([]);
  await fixture.drop();
});

test('an account cannot lend more than it has with loans that arrive together', async () => {
  const [lender, ...others] = (await join(5)) as [Author, ...Author[]];
  const loans = others.map(({ fid }) => lender.lendStorage(fid, 3));
  expect(await submit(...loans)).toEqual(['merged', 'no_storage', 'no_storage', 'no_storage']);
});

test('calls that share a transaction are judged one after the other', async () => {
  const [lender, ...others] = (await join(4)) as [Author, ...Author[]];
  // While the first is stored, the others wait for the next transaction.
  const calls = [lender.cast({ text: 'first' }), ...others.map(({ fid }) => lender.lendStorage(fid, 3))];
  const outcomes = await Promise.all(calls.map((call) => submit(call)));
  expect(outcomes.flat()).toEqual(['merged', 'merged', 'no_storage', 'no_storage']);
});

test('units that are lent can be used by the next message', async () => {
  const [lender] = (await join(1)) as [Author];
  const borrower = author({ seed: 'batch', fid: next++, clock });
  await ingest.submit([borrower.register(), await borrower.addSigner()], QUIET);
  const [early, late] = [borrower.cast({ text: 'early' }), borrower.cast({ text: 'late' })];
  expect(await submit(early, lender.lendStorage(borrower.fid, 2), late)).toEqual(['no_storage', 'merged', 'merged']);
});

test('a nonce counts once, also among messages that arrive together', async () => {
  const [alice, bob, app] = (await join(3)) as [Author, Author, Author];
  const add = (person: Author, index: number, nonce: number) =>
    keyAdd(person, { key: keyOf(index), nonce, app, at: clock.tick() });
  expect(await submit(await add(alice, 1, 1), await add(alice, 2, 1), await add(bob, 3, 1))).toEqual([
    'merged',
    'bad_key',
    'merged',
  ]);
  const remove = (person: Author, index: number) =>
    keySelfRemove(person, { key: keyOf(index), nonce: 1, at: clock.tick() });
  expect(await submit(remove(alice, 1), remove(bob, 3))).toEqual(['merged', 'bad_key']);
});

test('a key belongs to the first of two accounts that register it together', async () => {
  const [alice, bob, app] = (await join(3)) as [Author, Author, Author];
  const both = [alice, bob].map((person) => keyAdd(person, { key: keyOf(4), nonce: 1, app, at: clock.tick() }));
  expect(await submit(...(await Promise.all(both)))).toEqual(['merged', 'bad_key']);
});

test('a key signs what arrives between its registration and its removal', async () => {
  const [alice, app] = (await join(2)) as [Author, Author];
  const signing = alice.withKey(9);
  const key = signerKey(derive('batch', 'signer', alice.fid, 9));
  const casts = ['before', 'between', 'after'].map((text) => signing.cast({ text }));
  const add = await keyAdd(alice, { key, nonce: 1, app, at: clock.tick() });
  const remove = await keyRemove(alice, { key, nonce: 2, at: clock.tick() });
  const order = [casts[0], add, casts[1], remove, casts[2]] as Signed[];
  expect(await submit(...order)).toEqual(['unknown_signer', 'merged', 'merged', 'merged', 'unknown_signer']);
});

test('a name can be claimed by the message after its proof', async () => {
  const [alice, bob] = (await join(2)) as [Author, Author];
  const claim = (person: Author, name: string) => person.userData(UserDataType.USERNAME, name);
  expect(await submit(await alice.fnameProof('batch'), claim(alice, 'batch'), claim(bob, 'batch'))).toEqual([
    'merged',
    'merged',
    'unknown_name',
  ]);
});
