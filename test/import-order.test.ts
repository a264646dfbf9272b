import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserDataType } from '@farcaster/core';
import { getAddress } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FileItem } from '../src/ingest/file/format.js';
import { importFiles } from '../src/ingest/file/import.js';
import { openFileWriter } from '../src/ingest/file/write.js';
import { submitWithRetry } from '../src/ingest/hub/submit-retry.js';
import type { IngestItem } from '../src/ingest/item.js';
import { audit } from '../src/ingest/pipeline/audit.js';
import { fromUnixMs } from '../src/protocol/time.js';
import { author } from '../src/sample/author.js';
import { createClock } from '../src/sample/clock.js';
import { signerKey } from '../src/sample/key.js';
import { derive } from '../src/sample/random.js';
import { openTestDatabase, type TestDatabase } from './support/database.js';
import { log } from './support/hub-fixture.js';
import { openTestIngest } from './support/ingest.js';
import { keyAdd } from './support/key-message.js';

let folder: string;
let fixture: TestDatabase;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'import-'));
  fixture = await openTestDatabase();
});
afterAll(async () => {
  await fixture.drop();
  await rm(folder, { recursive: true });
});

/** More than one batch of items, so that what follows comes too late for what is before. */
const FILLER = 5_000;

const write = async (name: string, items: readonly IngestItem[]): Promise<string> => {
  const path = join(folder, name);
  const writer = await openFileWriter(path, 'json');
  for (const item of items) await writer.write(item as FileItem);
  await writer.close();
  return path;
};

const load = async (...files: readonly string[]) => {
  const ingest = openTestIngest(fixture.db);
  const options = { source: 'file', announce: false } as const;
  const { signal } = new AbortController();
  const report = await importFiles({
    store: (items) => submitWithRetry(ingest, items, options, { signal, log }),
    files,
    isRepeatable: true,
    signal,
    onFault: ({ length }) => expect(length).toBe(0),
    onProgress: () => undefined,
  });
  return report;
};

test('one import stores a file whose items stand in the opposite order', async () => {
  const clock = createClock(fromUnixMs(Date.now()) - 80_000);
  const [alice, app] = [1, 2].map((fid) => author({ seed: 'import', fid, clock }));
  if (!alice || !app) throw new Error('no authors');
  const key = signerKey(derive('import', 'signer', alice.fid, 9));
  const byMessage = alice.withKey(9);
  const wallet = alice.wallet(1);
  const filler = Array.from({ length: FILLER }, (_, index) => alice.rent(1, clock.tick() + index));
  // Each file needs those after it.
  const parts: IngestItem[][] = [
    [
      byMessage.userData(UserDataType.USER_DATA_PRIMARY_ADDRESS_ETHEREUM, getAddress(wallet.account.address)).item,
      alice.userData(UserDataType.USERNAME, 'import').item,
      (await byMessage.verifyEthereum(wallet)).item,
      ...filler,
    ],
    [(await keyAdd(alice, { key, nonce: 1, app, at: clock.tick() })).item, await app.fnameProof('import'), ...filler],
    [await alice.fnameProof('import'), await alice.addSigner(), app.register(), alice.register()],
  ];
  const files = await Promise.all(parts.map((items, place) => write(`${place}`, items)));
  const report = await load(...files);
  expect(Object.fromEntries(report.invalid)).toEqual({});
  const [account] = await fixture.db.run(
    'select username, primary_eth_address is not null as "isNamed" from account where fid = 1',
  );
  expect(account).toEqual({ username: 'import', isNamed: true });
  expect(await audit(fixture.db)).toEqual([]);
  const again = await load(files[0] ?? '');
  expect([...again.outcomes]).toEqual([['known', FILLER + 3]]);
});
