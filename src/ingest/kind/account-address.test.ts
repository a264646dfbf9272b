import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { openTestIngest } from '../../../test/support/ingest.js';
import { rounds } from '../../../test/support/rounds.js';
import { type Author, author } from '../../sample/author.js';
import { createClock, sampleTime } from '../../sample/clock.js';
import { signerEvent } from '../../sample/onchain.js';
import { signedKeyRequest } from '../../sample/verification-claim.js';
import type { SubmitOptions } from '../ingest-outcome.js';
import type { IngestItem } from '../item.js';
import { audit } from '../pipeline/audit.js';
import type { Ingest } from '../pipeline/pipeline.js';

const FID = 301;
const APP = 302;
const TRUSTED: SubmitOptions = { source: 'file', announce: false, trustSigners: true };

let fixture: TestDatabase;
let ingest: Ingest;
let alice: Author;
let clock: ReturnType<typeof createClock>;
let logIndex: number;

beforeAll(async () => {
  fixture = await openTestDatabase();
});
afterAll(() => fixture.drop());

const empty = async (): Promise<void> => {
  const tables = ['account', 'message', 'verification', 'address_owner', 'signer_key', 'onchain_event'];
  await fixture.db.script(tables.map((table) => `delete from ${table}`).join('; '));
};

beforeEach(async () => {
  await empty();
  ingest = openTestIngest(fixture.db);
  clock = createClock(sampleTime() - 86_400);
  alice = author({ seed: 'account address', fid: FID, clock });
  logIndex = 0;
});

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const authKey = (byte: number): Uint8Array => Buffer.concat([Buffer.alloc(12), Buffer.alloc(20, byte)]);

/** An onchain event that adds or removes a key. */
const keyEvent = async (key: Uint8Array, kind: 'add' | 'remove', keyType = 2): Promise<IngestItem> => {
  const place = { seed: 'account address', fid: FID, at: clock.tick(), logIndex: logIndex++ };
  const app = author({ seed: 'account address', fid: APP, clock });
  const requester = { fid: APP, wallet: app.wallet(0) };
  const metadata = kind === 'add' ? await signedKeyRequest(key, requester, 4_000_000_000) : undefined;
  return { kind: 'onchain', event: signerEvent(place, key, metadata, keyType) };
};

/** @returns both columns of the account, as text. */
const stored = async (): Promise<unknown> =>
  (await fixture.db.run('select verifications, auth_keys from account where fid = $1', [FID]))[0];

/** Keys and verifications that come, go and come again, with the registration in their midst. */
const accountHistory = async (): Promise<{ items: IngestItem[]; expected: unknown }> => {
  const [first, second, third] = [alice.wallet(1), alice.wallet(2), alice.wallet(3)];
  const items = [
    await keyEvent(authKey(1), 'add'),
    await keyEvent(authKey(2), 'add'),
    (await alice.verifyEthereum(first)).item,
    (await alice.verifyEthereum(second)).item,
    alice.register(),
    await keyEvent(authKey(1), 'remove'),
    await keyEvent(authKey(3), 'add', 1),
    alice.removeVerification(0, second.address).item,
    (await alice.verifyEthereum(third)).item,
    // Verified once more, it is the youngest.
    (await alice.verifyEthereum(first)).item,
    await keyEvent(authKey(4), 'add'),
    // The same key as one of another type.
    await keyEvent(authKey(2), 'add', 1),
  ];
  const verifications = JSON.stringify([third, first].map(({ address }) => [0, hex(address)]));
  return { items, expected: { verifications, auth_keys: JSON.stringify([[hex(authKey(4)), APP]]) } };
};

test('an account has its verifications and auth keys, for any order and batches', async () => {
  const { items, expected } = await accountHistory();
  await ingest.submit(items, TRUSTED);
  expect(await stored()).toEqual(expected);
  const disorder = fc.tuple(
    fc.shuffledSubarray(items, { minLength: items.length }),
    fc.integer({ min: 1, max: items.length }),
  );
  await fc.assert(
    fc.asyncProperty(disorder, async ([shuffled, size]) => {
      await empty();
      for (let start = 0; start < shuffled.length; start += size) {
        await ingest.submit(shuffled.slice(start, start + size), TRUSTED);
        expect(await audit(fixture.db)).toEqual([]);
      }
      expect(await stored()).toEqual(expected);
    }),
    { numRuns: rounds(25) },
  );
});

test('a key that is known before its account is shown once the account is', async () => {
  await ingest.submit([await keyEvent(authKey(1), 'add')], TRUSTED);
  expect(await stored()).toEqual({ verifications: null, auth_keys: JSON.stringify([[hex(authKey(1)), APP]]) });
  await ingest.submit([await keyEvent(authKey(1), 'remove')], TRUSTED);
  expect(await stored()).toEqual({ verifications: null, auth_keys: null });
  expect(await audit(fixture.db)).toEqual([]);
});

test('the audit finds a wrong column', async () => {
  const { items, expected } = await accountHistory();
  await ingest.submit(items, TRUSTED);
  const { verifications, auth_keys } = expected as Record<string, string>;
  await fixture.db.run(`update account set verifications = '[]', auth_keys = null where fid = $1`, [FID]);
  expect(await audit(fixture.db)).toEqual([
    { what: 'account.verifications', where: String(FID), stored: '[]', expected: verifications },
    { what: 'account.auth_keys', where: String(FID), stored: null, expected: auth_keys },
  ]);
});
