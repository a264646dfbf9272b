import { UserDataType } from '@farcaster/core';
import { base58 } from '@scure/base';
import { getAddress } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { openTestIngest } from '../../../test/support/ingest.js';
import { fromUnixMs } from '../../protocol/time.js';
import { type Author, author } from '../../sample/author.js';
import { createClock } from '../../sample/clock.js';
import type { Signed } from '../../sample/signed-message.js';
import type { SubmitOptions } from '../ingest-outcome.js';
import { audit } from '../pipeline/audit.js';
import type { Ingest } from '../pipeline/pipeline.js';

let fixture: TestDatabase;
let ingest: Ingest;
let next = 900;
const clock = createClock(fromUnixMs(Date.now()) - 800);

const LOCAL: SubmitOptions = { source: 'local', announce: true };
const FILE: SubmitOptions = { source: 'file', announce: false };
const HUB: SubmitOptions = { source: 'hub', announce: true };

beforeAll(async () => {
  fixture = await openTestDatabase();
  ingest = openTestIngest(fixture.db);
});
afterAll(() => fixture.drop());

const join = async (): Promise<Author> => {
  const person = author({ seed: 'primary', fid: next++, clock });
  await ingest.submit([person.register(), person.rent(2), await person.addSigner()], FILE);
  return person;
};

const submit = async (options: SubmitOptions, ...messages: readonly Signed[]): Promise<string[]> => {
  const { outcomes } = await ingest.submit(
    messages.map(({ item }) => item),
    options,
  );
  return outcomes.map((outcome) => (outcome.status === 'invalid' ? outcome.reason : outcome.status));
};

/** What makes, names and removes one address of an account. */
const addressOf = async (person: Author, chain: 'Ethereum' | 'Solana') => {
  const [wallet, key] = [person.wallet(0), person.solanaKey(0)];
  const isSolana = chain === 'Solana';
  const text = isSolana ? base58.encode(key.publicKey) : getAddress(wallet.account.address);
  const bytes = isSolana ? key.publicKey : Buffer.from(wallet.account.address.slice(2), 'hex');
  const type = UserDataType[`USER_DATA_PRIMARY_ADDRESS_${isSolana ? 'SOLANA' : 'ETHEREUM'}`];
  return {
    verify: async () => (isSolana ? person.verifySolana(key) : person.verifyEthereum(wallet)),
    name: () => person.userData(type, text),
    clear: () => person.userData(type, ''),
    remove: () => person.removeVerification(isSolana ? 1 : 0, bytes),
  };
};

const isNamed = async ({ fid }: Author): Promise<boolean> => {
  const rows = await fixture.db.run(
    'select 1 from account where fid = $1 and coalesce(primary_eth_address, primary_sol_address) is not null',
    [fid],
  );
  const stored = await fixture.db.run('select 1 from message where fid = $1 and type = 11 and subtype in (11, 12)', [
    fid,
  ]);
  expect(stored.length).toBe(rows.length);
  return stored.length > 0;
};

const differences = async () => (await audit(fixture.db)).filter(({ what }) => what === 'account.primary_address');

test.each(['Ethereum', 'Solana'] as const)('a primary address on %s needs a verification in force', async (chain) => {
  const person = await join();
  const { verify, name, remove, clear } = await addressOf(person, chain);
  expect(await submit(LOCAL, name())).toEqual(['unverified_address']);
  expect(await submit(LOCAL, await verify(), name())).toEqual(['merged', 'merged']);
  expect(await isNamed(person)).toBe(true);
  expect(await submit(LOCAL, remove())).toEqual(['merged']);
  expect(await isNamed(person)).toBe(false);
  // It does not come back by itself.
  expect(await submit(LOCAL, await verify())).toEqual(['merged']);
  expect(await isNamed(person)).toBe(false);
  expect(await submit(LOCAL, name(), remove(), name())).toEqual(['merged', 'merged', 'unverified_address']);
  expect(await isNamed(person)).toBe(false);
  expect(await submit(LOCAL, name(), await verify(), name(), clear())).toEqual([
    'unverified_address',
    'merged',
    'merged',
    'merged',
  ]);
  // As on hubs, an address that is verified again has to be named again.
  expect(await submit(LOCAL, name(), await verify())).toEqual(['merged', 'merged']);
  expect(await isNamed(person)).toBe(false);
  const stranger = await join();
  const foreign = stranger.userData(
    UserDataType.USER_DATA_PRIMARY_ADDRESS_ETHEREUM,
    getAddress(person.wallet(0).account.address),
  );
  expect(await submit(LOCAL, await verify(), foreign)).toEqual(['merged', 'unverified_address']);
  expect(await differences()).toEqual([]);
});

test('the event log says that a primary address is revoked', async () => {
  const person = await join();
  const { verify, name, remove } = await addressOf(person, 'Ethereum');
  await submit(LOCAL, await verify(), name());
  await submit(LOCAL, remove());
  const events = await fixture.db.run<{ type: number }>('select type from hub_event where fid = $1 order by id', [
    person.fid,
  ]);
  expect(events.map(({ type }) => type)).toEqual([1, 1, 1, 3]);
});

test('a batch of a file names an address in any order; its removal takes it away', async () => {
  const person = await join();
  const { verify, name, remove } = await addressOf(person, 'Ethereum');
  expect(await submit(FILE, name())).toEqual(['unverified_address']);
  expect(await submit(FILE, name(), await verify())).toEqual(['merged', 'merged']);
  // An address that is verified again stays: a file has the state of a hub, not its course.
  expect(await submit(FILE, name(), await verify())).toEqual(['merged', 'merged']);
  expect(await isNamed(person)).toBe(true);
  expect(await submit(FILE, remove())).toEqual(['merged']);
  expect(await isNamed(person)).toBe(false);
  const events = await fixture.db.run('select 1 from hub_event where fid = $1', [person.fid]);
  expect(events).toEqual([]);
});

test('a hub decides itself, and the audit shows a primary address without verification', async () => {
  const person = await join();
  const { verify, name, remove } = await addressOf(person, 'Ethereum');
  expect(await submit(HUB, name())).toEqual(['merged']);
  expect(await differences()).toEqual([
    {
      what: 'account.primary_address',
      where: `${person.fid} 0`,
      stored: person.wallet(0).account.address.slice(2).toLowerCase(),
      expected: null,
    },
  ]);
  expect(await submit(HUB, await verify())).toEqual(['merged']);
  expect(await differences()).toEqual([]);
  expect(await submit(HUB, remove())).toEqual(['merged']);
  expect(await isNamed(person)).toBe(false);
});
