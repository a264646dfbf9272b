import {
  FarcasterNetwork,
  MessageType,
  makeKeyAddBody,
  makeKeyRemoveBody,
  NobleEd25519Signer,
  ViemLocalEip712Signer,
} from '@farcaster/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { openTestIngest } from '../../../test/support/ingest.js';
import { type KeyAddOptions, keyAdd as keyMessage } from '../../../test/support/key-message.js';
import { type Author, author } from '../../sample/author.js';
import { createClock, sampleTime } from '../../sample/clock.js';
import { signerKey } from '../../sample/key.js';
import { signerEvent } from '../../sample/onchain.js';
import { signed } from '../../sample/signed-message.js';
import { signedKeyRequest } from '../../sample/verification-claim.js';
import { exportItems } from '../file/export.js';
import type { SubmitOptions } from '../ingest-outcome.js';
import type { IngestItem } from '../item.js';
import type { Ingest } from '../pipeline/pipeline.js';

let fixture: TestDatabase;
let ingest: Ingest;

const QUIET: SubmitOptions = { source: 'file', announce: false };
const clock = createClock(sampleTime() - 86_400);
const [alice, app, mallory] = [201, 202, 203].map((fid) => author({ seed: 'keys', fid, clock })) as [
  Author,
  Author,
  Author,
];
const SECRET = new Uint8Array(32).fill(9);
const key = signerKey(SECRET);
/** The package refuses to build what has expired by now. */
const DEADLINE = 2_000_000_000;

const custody = (person: Author) => new ViemLocalEip712Signer(person.custody.account as never);

const keyAdd = async (by: Author, requester: Author, nonce = 1) => {
  const body = await makeKeyAddBody(
    {
      fid: BigInt(alice.fid),
      key: key.publicKey,
      scopes: [MessageType.CAST_ADD],
      ttl: 86_400,
      nonce,
      deadline: DEADLINE,
      requestFid: BigInt(app.fid),
    },
    custody(by),
    custody(requester),
  );
  const data = { fid: alice.fid, timestamp: clock.tick(), network: FarcasterNetwork.DEVNET };
  return signed({ type: MessageType.KEY_ADD, ...data, keyAddBody: body._unsafeUnwrap() }, key);
};

const keyRemove = async (by: Author) => {
  const options = { fid: BigInt(alice.fid), key: key.publicKey, nonce: 2, deadline: DEADLINE };
  const body = await makeKeyRemoveBody(options, custody(by));
  const data = { fid: alice.fid, timestamp: clock.tick(), network: FarcasterNetwork.DEVNET };
  return signed({ type: MessageType.KEY_REMOVE, ...data, keyRemoveBody: body._unsafeUnwrap() }, key);
};

const castWithKey = () =>
  signed(
    {
      type: MessageType.CAST_ADD,
      fid: alice.fid,
      timestamp: clock.tick(),
      network: FarcasterNetwork.DEVNET,
      castAddBody: { text: 'gm', type: 0, embeds: [], embedsDeprecated: [], mentions: [], mentionsPositions: [] },
    },
    key,
  );

beforeAll(async () => {
  fixture = await openTestDatabase();
  ingest = openTestIngest(fixture.db);
  await ingest.submit(
    [alice, app, mallory].map((person) => person.register()),
    QUIET,
  );
});
afterAll(() => fixture.drop());

test('a key needs the signatures of both custody addresses', async () => {
  expect((await new NobleEd25519Signer(SECRET).getSignerKey())._unsafeUnwrap()).toEqual(key.publicKey);
  for (const [by, requester] of [
    [mallory, app],
    [alice, mallory],
  ] as const) {
    const report = await ingest.submit([(await keyAdd(by, requester)).item], QUIET);
    expect(report.outcomes[0]).toMatchObject({ status: 'invalid', reason: 'bad_key' });
  }
  expect((await ingest.submit([castWithKey().item], QUIET)).invalid).toEqual({ unknown_signer: 1 });
});

test('a key registered by a message can sign, also in the same batch, until custody removes it', async () => {
  const report = await ingest.submit([castWithKey().item, (await keyAdd(alice, app)).item], QUIET);
  expect(report).toMatchObject({ merged: 2 });
  const [row] = await fixture.db.run('select request_fid, active from signer_key where fid = 201');
  expect(row).toEqual({ request_fid: app.fid, active: true });
  const foreign = await ingest.submit([(await keyRemove(mallory)).item], QUIET);
  expect(foreign.outcomes[0]).toMatchObject({ reason: 'bad_key' });
  expect(await ingest.submit([(await keyRemove(alice)).item], QUIET)).toMatchObject({ merged: 1 });
  expect(await fixture.db.run('select fid from "cast"')).toEqual([{ fid: 201 }]);
  const late = await ingest.submit([castWithKey().item], { ...QUIET, source: 'local' });
  expect(late.invalid).toEqual({ unknown_signer: 1 });
});

test('a key that is registered onchain and by a message is what the chain says, until it is removed there', async () => {
  const requester = { fid: app.fid, wallet: app.custody };
  const metadata = await signedKeyRequest(key.publicKey, requester, DEADLINE);
  const place = () => ({ seed: 'keys', fid: alice.fid, at: clock.tick(), logIndex: 0 });
  const state = async () =>
    (
      await fixture.db.run(
        `select a.auth_keys, k.key_type, k.active, k.scopes from account a join signer_key k on k.fid = a.fid
          where a.fid = 201`,
      )
    )[0];
  const onchain = {
    auth_keys: JSON.stringify([[Buffer.from(key.publicKey).toString('hex'), app.fid]]),
    key_type: 2,
    active: true,
    scopes: null,
  };
  await ingest.submit([{ kind: 'onchain', event: signerEvent(place(), key.publicKey, metadata, 2) }], QUIET);
  expect(await state()).toEqual(onchain);
  expect(await ingest.submit([(await keyAdd(alice, app, 3)).item], QUIET)).toMatchObject({ merged: 1 });
  expect(await state()).toEqual(onchain);
  await ingest.submit([{ kind: 'onchain', event: signerEvent(place(), key.publicKey) }], QUIET);
  expect(await state()).toEqual({ auth_keys: null, key_type: 1, active: true, scopes: [MessageType.CAST_ADD] });
});

describe('keys of an account that moved', () => {
  const QUIET_LOCAL: SubmitOptions = { ...QUIET, source: 'local' };
  const moved = author({ seed: 'keys', fid: 211, clock });
  const movedApp = author({ seed: 'keys', fid: 212, clock });
  const unknownApp = author({ seed: 'keys', fid: 213, clock });
  const keyOf = (index: number) => signerKey(new Uint8Array(32).fill(20 + index));
  const add = (index: number, options: Partial<KeyAddOptions> = {}) =>
    keyMessage(moved, { key: keyOf(index), nonce: index, app: movedApp, at: clock.tick(), ...options });

  beforeAll(async () => {
    const onchain = [moved.register(), moved.rent(2), moved.transfer(1), movedApp.register(), movedApp.transfer(1)];
    expect((await ingest.submit(onchain, QUIET)).invalid).toEqual({});
  });

  test.each(['file', 'hub', 'backfill'] as const)(
    'stay when they come again (%s): any custody of the history may have signed',
    async (source) => {
      const index = 1 + ['file', 'hub', 'backfill'].indexOf(source);
      const report = await ingest.submit([(await add(index)).item], { ...QUIET, source });
      expect(report.outcomes).toEqual([{ status: 'merged' }]);
    },
  );

  test('stay when the account of the app is not stored', async () => {
    const report = await ingest.submit([(await add(4, { app: unknownApp })).item], QUIET);
    expect(report.outcomes).toEqual([{ status: 'merged' }]);
  });

  test('are not taken from others, and submitted ones only with the signatures of today', async () => {
    const foreign = [add(5, { custody: mallory.custody }), add(5, { appCustody: mallory.custody })];
    for (const { item } of await Promise.all(foreign))
      expect((await ingest.submit([item], QUIET)).outcomes).toMatchObject([{ reason: 'bad_key' }]);
    const today = { custody: moved.wallet(1), appCustody: movedApp.wallet(1) };
    const former = [
      add(5, { ...today, custody: moved.custody }),
      add(5, { ...today, appCustody: movedApp.custody }),
      add(5, { ...today, app: unknownApp }),
    ];
    for (const { item } of await Promise.all(former))
      expect((await ingest.submit([item], QUIET_LOCAL)).outcomes).toMatchObject([{ reason: 'bad_key' }]);
    expect((await ingest.submit([(await add(5, today)).item], QUIET_LOCAL)).outcomes).toEqual([{ status: 'merged' }]);
  });

  test('are in an export that an empty store can import', async () => {
    const items: IngestItem[] = [];
    for await (const page of exportItems(fixture.db)) items.push(...page);
    const tables = ['message', 'key_nonce', 'signer_key', 'account', 'onchain_event', 'address_owner', '"cast"'];
    await fixture.db.script(tables.map((table) => `delete from ${table}`).join('; '));
    expect((await ingest.submit(items, QUIET)).invalid).toEqual({});
    expect(await fixture.db.run('select 1 from signer_key where fid = 211 and active')).toHaveLength(5);
  });
});
