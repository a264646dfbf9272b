import { FarcasterNetwork, MessageType, UserDataType } from '@farcaster/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { IngestItem } from '../src/ingest/item.js';
import { audit } from '../src/ingest/pipeline/audit.js';
import { fromUnixMs } from '../src/protocol/time.js';
import { type Author, author } from '../src/sample/author.js';
import { type SignerKey, signerKey } from '../src/sample/key.js';
import { derive } from '../src/sample/random.js';
import { type Signed, signed } from '../src/sample/signed-message.js';
import { type HubFlow, startHubFlow } from './support/hub-api.js';
import { inNewEnvelope, keyAdd, keyRemove, keySelfRemove } from './support/key-message.js';
import { FIDS, SEED } from './support/seed.js';

let hub: HubFlow;
beforeAll(async () => {
  hub = await startHubFlow(true);
});
afterAll(() => hub.stop());

const keyOf = (index: number): SignerKey => signerKey(derive(SEED, 'signer', FIDS.alice, 200 + index));
const now = (): number => hub.seeded.clock.tick();

/** @returns the status, and the words of a refusal */
const submit = async ({ wire }: { readonly wire: Uint8Array }): Promise<[number, string | undefined]> => {
  const headers = { 'x-api-key': await hub.shell.key(), 'content-type': 'application/octet-stream' };
  const request = { method: 'POST', url: '/v1/submitMessage', headers, payload: Buffer.from(wire) } as const;
  const answer = await hub.shell.server.fastify.inject(request);
  return [answer.statusCode, answer.json().details];
};
const ACCEPTED = [200, undefined];

describe('a nonce counts once', () => {
  test('a registration does not return in a new envelope after its key removed itself', async () => {
    const { alice, app } = hub.seeded;
    const key = keyOf(1);
    const add = await keyAdd(alice, { key, nonce: 3, app, at: now() });
    expect(await submit(add)).toEqual(ACCEPTED);
    expect(await submit(keySelfRemove(alice, { key, nonce: 1, at: now() }))).toEqual(ACCEPTED);
    const returned = await submit(inNewEnvelope(add, key, now()));
    expect(returned).toEqual([400, expect.stringMatching(/nonce must be above 3, the last one of fid/)]);
    expect(await submit(await keyAdd(alice, { key, nonce: 4, app, at: now() }))).toEqual(ACCEPTED);
  });

  test('removals by the keys of an app share its nonce, which begins above 0', async () => {
    const { alice, bob, app } = hub.seeded;
    const [first, second] = [keyOf(2), keyOf(3)];
    expect(await submit(await keyAdd(alice, { key: first, nonce: 5, app, at: now() }))).toEqual(ACCEPTED);
    expect(await submit(await keyAdd(bob, { key: second, nonce: 1, app, at: now() }))).toEqual(ACCEPTED);
    const none = await submit(keySelfRemove(alice, { key: first, nonce: 0, at: now() }));
    expect(none).toEqual([400, expect.stringMatching(/nonce must be above/)]);
    expect(await submit(keySelfRemove(alice, { key: first, nonce: 7, at: now() }))).toEqual(ACCEPTED);
    const low = await submit(keySelfRemove(bob, { key: second, nonce: 7, at: now() }));
    expect(low).toEqual([400, expect.stringMatching(/nonce must be above 7, the last one of the app with fid/)]);
    expect(await submit(keySelfRemove(bob, { key: second, nonce: 8, at: now() }))).toEqual(ACCEPTED);
    expect(await submit(await keyRemove(alice, { key: keyOf(1), nonce: 6, at: now() }))).toEqual(ACCEPTED);
    expect(await audit(hub.shell.db)).toEqual([]);
  });
});

test('a key that an account with an impossible number asks for is refused', async () => {
  const nobody = author({ seed: SEED, fid: 2 ** 63, clock: hub.seeded.clock });
  const add = await keyAdd(hub.seeded.alice, { key: keyOf(90), nonce: 99, app: nobody, at: now() });
  expect(await submit(add)).toEqual([400, expect.stringMatching(/no ABI-encoded signed key request/)]);
});

describe('a key that a message registered', () => {
  const HOUR = 3600;
  const seconds = (): number => fromUnixMs(Date.now());
  const cast = ({ fid }: Author, key: SignerKey, at: number): Signed =>
    signed(
      {
        type: MessageType.CAST_ADD,
        fid,
        timestamp: at,
        network: FarcasterNetwork.DEVNET,
        castAddBody: { text: 'gm', type: 0, embeds: [], embedsDeprecated: [], mentions: [], mentionsPositions: [] },
      },
      key,
    );
  const bio = ({ fid }: Author, key: SignerKey, at: number): Signed =>
    signed(
      {
        type: MessageType.USER_DATA_ADD,
        fid,
        timestamp: at,
        network: FarcasterNetwork.DEVNET,
        userDataBody: { type: UserDataType.BIO, value: 'gm' },
      },
      key,
    );

  test('signs only messages of its scopes, until it is registered with others', async () => {
    const { carol, app } = hub.seeded;
    const key = keyOf(4);
    const at = seconds();
    expect(await submit(await keyAdd(carol, { key, nonce: 1, app, at: at - 9 }))).toEqual(ACCEPTED);
    expect(await submit(cast(carol, key, at - 8))).toEqual(ACCEPTED);
    const foreign = await submit(bio(carol, key, at - 7));
    expect(foreign).toEqual([400, expect.stringMatching(/may not sign messages of type 11/)]);
    const scopes = [MessageType.USER_DATA_ADD];
    expect(await submit(await keyAdd(carol, { key, nonce: 2, app, at: at - 6, scopes }))).toEqual(ACCEPTED);
    expect(await submit(bio(carol, key, at - 5))).toEqual(ACCEPTED);
    expect(await submit(cast(carol, key, at - 4))).toEqual([400, expect.stringMatching(/of type 1\b/)]);
    expect(await audit(hub.shell.db)).toEqual([]);
  });

  test('expires when it was not used for its ttl', async () => {
    const { carol, app } = hub.seeded;
    const key = keyOf(5);
    const at = seconds();
    const add = await keyAdd(carol, { key, nonce: 3, app, at: at - 3 * HOUR, ttl: HOUR });
    expect(await submit(add)).toEqual(ACCEPTED);
    const late = await submit(cast(carol, key, at - 2));
    expect(late).toEqual([400, expect.stringMatching(/expired: it was not used for 3600 seconds/)]);
    // What a hub took at the time counts as use, and an older message that comes later does not shorten it.
    const earlier = [cast(carol, key, at - HOUR / 2), cast(carol, key, at - 2 * HOUR)];
    for (const { item } of earlier) await hub.submit([item]);
    expect(await submit(cast(carol, key, at - 1))).toEqual(ACCEPTED);
    expect(await audit(hub.shell.db)).toEqual([]);
  });

  test('counts its use before its registration arrived', async () => {
    const { carol, app } = hub.seeded;
    const key = keyOf(6);
    const at = seconds();
    const early = cast(carol, key, at - 60);
    const trusted = { source: 'hub', announce: false, trustSigners: true } as const;
    expect(await hub.shell.services.hub.submit([early.item], trusted)).toMatchObject({ merged: 1 });
    await hub.submit([(await keyAdd(carol, { key, nonce: 4, app, at: at - 3 * HOUR, ttl: HOUR })).item]);
    expect(await submit(cast(carol, key, at))).toEqual(ACCEPTED);
  });

  test('signs although it was removed onchain, in whichever order the two arrive', async () => {
    const { carol, app } = hub.seeded;
    const at = seconds();
    for (const [index, order] of [
      [30, [0, 1, 2]],
      [31, [2, 0, 1]],
    ] as const) {
      const onchain = carol.withKey(index);
      const key = signerKey(derive(SEED, 'signer', carol.fid, index));
      const items = [
        await onchain.addSigner(),
        onchain.removeSigner(),
        (await keyAdd(carol, { key, nonce: 5 + index, app, at: at - 9 })).item,
      ];
      for (const one of order) await hub.submit([items[one] as IngestItem]);
      expect(await submit(cast(carol, key, at + index))).toEqual(ACCEPTED);
    }
    expect(await audit(hub.shell.db)).toEqual([]);
  });
});
