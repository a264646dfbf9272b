import { FarcasterNetwork, MessageType } from '@farcaster/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { IngestItem } from '../src/ingest/item.js';
import { fromUnixMs, toUnixMs } from '../src/protocol/time.js';
import { type SignerKey, signerKey } from '../src/sample/key.js';
import { signerEvent } from '../src/sample/onchain.js';
import { derive } from '../src/sample/random.js';
import { type Signed, signed } from '../src/sample/signed-message.js';
import { signedKeyRequest } from '../src/sample/verification-claim.js';
import { type HubFlow, hex, startHubFlow } from './support/hub-api.js';
import { alteredTokens, readHubList } from './support/hub-list.js';
import { keyAdd, keySelfRemove } from './support/key-message.js';
import { FIDS, SEED } from './support/seed.js';

let hub: HubFlow;
beforeAll(async () => {
  hub = await startHubFlow();
});
afterAll(() => hub.stop());

interface SignerJson {
  readonly source: string;
  readonly key: string;
}

const LARGE_FID = 2 ** 32 + 7;
const seconds = (): number => fromUnixMs(Date.now());
const unix = (protocolSeconds: number): number => toUnixMs(protocolSeconds) / 1000;
const keyOf = (fid: number, index: number): SignerKey => signerKey(derive(SEED, 'signer', fid, 300 + index));

const castBy = (fid: number, key: SignerKey, timestamp: number): Signed =>
  signed(
    {
      ...{ type: MessageType.CAST_ADD, fid, timestamp, network: FarcasterNetwork.DEVNET },
      castAddBody: { text: 'gm', type: 0, embeds: [], embedsDeprecated: [], mentions: [], mentionsPositions: [] },
    },
    key,
  );

const one = (fid: number, key: Uint8Array) => hub.getUnchecked(`/v1/signer?fid=${fid}&signer=${hex(key)}`);
const all = async (fid: number, more = '') => (await hub.getUnchecked(`/v1/signersByFid?fid=${fid}${more}`)).body;
const sendAll = async (...messages: readonly Signed[]) => {
  for (const { item } of messages) await hub.submit([item]);
};

describe('one signer', () => {
  test('that is registered onchain comes with its event', async () => {
    const { dan } = hub.seeded;
    const { status, body } = await one(dan.fid, dan.signer);
    expect(status).toBe(200);
    const { addedAt, onChainEvent, ...rest } = body.signer;
    expect(rest).toEqual({ source: 'SIGNER_SOURCE_ONCHAIN', key: hex(dan.signer), keyType: 1, fid: dan.fid });
    expect(onChainEvent).toMatchObject({
      type: 'EVENT_TYPE_SIGNER',
      blockTimestamp: addedAt,
      signerEventBody: { key: hex(dan.signer), eventType: 'SIGNER_EVENT_TYPE_ADD' },
    });
    const plain = await hub.getUnchecked(`/v1/signer?fid=${dan.fid}&signer=${hex(dan.signer).slice(2).toUpperCase()}`);
    expect(plain.body).toEqual(body);
  });

  test('that a message registered says what it may sign, and when it was used; an expired one is still found', async () => {
    const { erin, app } = hub.seeded;
    const key = keyOf(erin.fid, 1);
    const at = seconds() - 10_000;
    const scopes = [MessageType.CAST_ADD, MessageType.REACTION_ADD];
    await sendAll(await keyAdd(erin, { key, nonce: 4, app, at, scopes, ttl: 3_600 }));
    const unused = {
      ...{ source: 'SIGNER_SOURCE_OFFCHAIN', key: hex(key.publicKey), keyType: 1, fid: erin.fid, addedAt: unix(at) },
      ...{ ttl: 3_600, scopes: ['MESSAGE_TYPE_CAST_ADD', 'MESSAGE_TYPE_REACTION_ADD'], requestFid: app.fid, nonce: 4 },
    };
    expect((await one(erin.fid, key.publicKey)).body).toEqual({ signer: unused });
    await sendAll(castBy(erin.fid, key, at + 60));
    const used = { ...unused, lastUsedAt: unix(at + 60), expiresAt: unix(at + 3_660) };
    expect(used.expiresAt * 1000).toBeLessThan(Date.now());
    expect((await one(erin.fid, key.publicKey)).body).toEqual({ signer: used });
    expect((await all(erin.fid)).signers).toContainEqual(used);
  });

  test('that was removed, of another account, or unknown is not found', async () => {
    const { erin, frank, app } = hub.seeded;
    const second = frank.withKey(1);
    await hub.submit([await second.addSigner()]);
    expect((await one(frank.fid, second.signer)).status).toBe(200);
    await hub.submit([second.removeSigner()]);
    const key = keyOf(frank.fid, 2);
    await sendAll(await keyAdd(frank, { key, nonce: 1, app, at: seconds() - 20 }));
    expect((await one(frank.fid, key.publicKey)).status).toBe(200);
    await sendAll(keySelfRemove(frank, { key, nonce: 1, at: seconds() - 10 }));
    for (const [fid, gone] of [
      [frank.fid, second.signer],
      [frank.fid, key.publicKey],
      [erin.fid, frank.signer],
      [LARGE_FID, hub.seeded.frank.signer],
      [12_345, new Uint8Array(32)],
    ] as const) {
      expect(await one(fid, gone)).toMatchObject({ status: 404, body: { errCode: 'not_found', code: 5 } });
    }
    const body = await all(frank.fid);
    expect(body.signers.map(({ key: shown }: SignerJson) => shown)).toEqual([hex(frank.signer)]);
    expect(body.gaslessSignerCount).toBe(0);
  });

  test('that a message registered and then the chain counts as one onchain, and is listed as both', async () => {
    const { grace, app } = hub.seeded;
    const key = signerKey(derive(SEED, 'signer', grace.fid, 5));
    await sendAll(await keyAdd(grace, { key, nonce: 1, app, at: seconds() - 30 }));
    await hub.submit([await grace.withKey(5).addSigner()]);
    expect((await one(grace.fid, key.publicKey)).body.signer.source).toBe('SIGNER_SOURCE_ONCHAIN');
    const shown = (await all(grace.fid)).signers.filter((signer: SignerJson) => signer.key === hex(key.publicKey));
    expect(shown.map(({ source }: SignerJson) => source)).toEqual(['SIGNER_SOURCE_ONCHAIN', 'SIGNER_SOURCE_OFFCHAIN']);
  });

  test('needs a key of 32 bytes and an account', async () => {
    const key = hex(hub.seeded.dan.signer);
    for (const [query, details] of [
      [`fid=${FIDS.dan}`, /^signer is required/],
      [`fid=${FIDS.dan}&signer=`, /^signer must be 0x and 64 hex digits/],
      [`fid=${FIDS.dan}&signer=${key}00`, /^signer must be/],
      [`fid=${FIDS.dan}&signer=${key.slice(0, -1)}g`, /^signer must be/],
      [`fid=0&signer=${key}`, /^fid must be/],
      [`signer=${key}`, /^fid is required/],
    ] as const) {
      await refused(`/v1/signer?${query}`, details);
    }
  });
});

const refused = async (url: string, details: RegExp): Promise<void> => {
  const { status, body } = await hub.getUnchecked(url);
  expect({ url, status, errCode: body.errCode }).toEqual({ url, status: 400, errCode: 'bad_request.invalid_param' });
  expect(body.details).toMatch(details);
};

describe('the signers of an account', () => {
  const ONCHAIN = 4;
  const BY_MESSAGE = 4;
  let expected: string[];

  beforeAll(async () => {
    const { heidi, app } = hub.seeded;
    const onchain = [heidi, ...Array.from({ length: ONCHAIN - 1 }, (_, index) => heidi.withKey(10 + index))];
    for (const author of onchain.slice(1)) await hub.submit([await author.addSigner()]);
    const keys = Array.from({ length: BY_MESSAGE }, (_, index) => keyOf(heidi.fid, index));
    for (const [index, key] of keys.entries())
      await sendAll(await keyAdd(heidi, { key, nonce: index + 1, app, at: seconds() - 100 + index }));
    const sorted = keys.map(({ publicKey }) => hex(publicKey)).sort();
    expected = [...onchain.map(({ signer }) => hex(signer)), ...sorted];
  });

  const keys = (signers: readonly SignerJson[]): string[] => signers.map(({ key }) => key);
  const read = async (pageSize: number, more = '') =>
    keys(
      await readHubList<SignerJson>(hub.getUnchecked, `/v1/signersByFid?fid=${FIDS.heidi}${more}`, 'signers', pageSize),
    );

  test.each([1, 2, 3, ONCHAIN, 5, 8, 1000])('each once, in pages of %i, in both directions', async (pageSize) => {
    expect(await read(pageSize)).toEqual(expected);
    const turned = [...expected.slice(0, ONCHAIN).toReversed(), ...expected.slice(ONCHAIN).toReversed()];
    expect(await read(pageSize, '&reverse=true')).toEqual(turned);
  });

  test('registered onchain are listed as events, in pages of any size, in both directions', async () => {
    const path = `/v1/onChainSignersByFid?fid=${FIDS.heidi}`;
    const events = async (pageSize: number, more = '') =>
      (await readHubList(hub.getUnchecked, `${path}${more}`, 'events', pageSize)).map(
        (event) => (event.signerEventBody as SignerJson).key,
      );
    for (const size of [1, 2, ONCHAIN, 1000]) {
      expect(await events(size)).toEqual(expected.slice(0, ONCHAIN));
      expect(await events(size, '&reverse=true')).toEqual(expected.slice(0, ONCHAIN).toReversed());
    }
    const { nextPageToken } = (await hub.getUnchecked(`${path}&pageSize=1`)).body;
    const [altered = ''] = alteredTokens(nextPageToken).slice(-1);
    await refused(`${path}&pageToken=${encodeURIComponent(altered)}`, /^pageToken must be/);
    const ofDan = `/v1/onChainSignersByFid?fid=${FIDS.dan}&pageToken=${encodeURIComponent(nextPageToken)}`;
    await refused(ofDan, /^pageToken must be/);
  });

  test('come with counts and nonces on every page', async () => {
    const { heidi, app, frank } = hub.seeded;
    const counts = { gaslessSignerCount: BY_MESSAGE, gaslessSignerLimit: 1000, currentUserNonce: BY_MESSAGE };
    const { nextPageToken, ...page } = await all(heidi.fid, '&page_size=1');
    expect(page).toEqual({ signers: [expect.anything()], ...counts });
    expect(nextPageToken).toMatch(/^[\w+/]+=*$/);
    const nonces = { requesterFidNonces: { [app.fid]: 1, [frank.fid]: 0 } };
    for (const asked of [
      `requesterFids=${app.fid},${frank.fid}`,
      `requester_fids=${app.fid}&requester_fids=${frank.fid}&requester_fids=${app.fid}`,
      `requesterFids[]=${app.fid}&requesterFids[]=${frank.fid}`,
      `requester_fids[0]=${app.fid}&requester_fids%5B1%5D=${frank.fid}`,
    ]) {
      const body = await all(heidi.fid, `&${asked}`);
      expect({ asked, body }).toMatchObject({ asked, body: { ...counts, ...nonces } });
    }
  });

  test('of an account without any are none', async () => {
    const nothing = { signers: [], gaslessSignerCount: 0, gaslessSignerLimit: 1000, currentUserNonce: 0 };
    expect(await all(12_345)).toEqual(nothing);
    expect(await all(LARGE_FID)).toEqual(nothing);
  });

  test('a key that is removed between two pages is missing from the next one, and no other', async () => {
    const { heidi, app } = hub.seeded;
    const key = keyOf(heidi.fid, 50);
    await sendAll(await keyAdd(heidi, { key, nonce: 20, app, at: seconds() - 50 }));
    const first = await all(heidi.fid, `&pageSize=${ONCHAIN + 1}`);
    await sendAll(keySelfRemove(heidi, { key, nonce: 20, at: seconds() - 40 }));
    const rest = await all(heidi.fid, `&pageToken=${encodeURIComponent(first.nextPageToken)}`);
    const seen = keys([...first.signers, ...rest.signers]);
    expect(seen.filter((one) => one !== hex(key.publicKey))).toEqual(expected);
  });

  test('tokens that are altered, of another account or of another list, and bad parameters are refused', async () => {
    const { nextPageToken } = await all(FIDS.heidi, '&pageSize=1');
    const path = `/v1/signersByFid?fid=${FIDS.heidi}`;
    const foreign = (await hub.getUnchecked(`/v1/castsByFid?fid=${FIDS.bob}&pageSize=1`)).body.nextPageToken;
    for (const token of [...alteredTokens(nextPageToken), foreign || 'A'.repeat(32)])
      await refused(`${path}&pageToken=${encodeURIComponent(token)}`, /^pageToken must be/);
    await refused(`/v1/signersByFid?fid=${FIDS.dan}&pageToken=${encodeURIComponent(nextPageToken)}`, /^pageToken must/);
    // A plus that is not percent-encoded arrives as a space.
    expect((await hub.getUnchecked(`${path}&pageToken=${nextPageToken}`)).status).toBe(200);
    for (const [query, details] of [
      ['&pageSize=0', /^pageSize must/],
      ['&pageSize=1001', /^pageSize must/],
      ['&requesterFids=0', /^requesterFids/],
      ['&requesterFids=', /^requesterFids/],
      [`&requesterFids=${Array.from({ length: 101 }, (_, fid) => fid + 1).join(',')}`, /^requesterFids/],
      ['&requesterFids[x]=1', undefined],
    ] as const) {
      if (details === undefined) expect((await hub.getUnchecked(`${path}${query}`)).status).toBe(200);
      else await refused(`${path}${query}`, details);
    }
    await refused('/v1/signersByFid?fid=0', /^fid must be/);
  });
});

describe('what an address is to an account', () => {
  const typeOf = async (fid: number, address: Uint8Array) =>
    (await hub.getUnchecked(`/v1/fidAddressType?fid=${fid}&address=${hex(address)}`)).body;
  const kind = (...kinds: readonly string[]) => ({
    is_custody: kinds.includes('custody'),
    is_auth: kinds.includes('auth'),
    is_verified: kinds.includes('verified'),
  });

  test('follows transfers, auth keys and verifications, and their ends', async () => {
    const { carol, app, bob } = hub.seeded;
    const [first, second] = [carol.wallet(0), carol.wallet(1)];
    expect(await typeOf(carol.fid, first.address)).toEqual(kind('custody'));
    expect(await typeOf(bob.fid, first.address)).toEqual(kind());
    await sendAll(await carol.verifyEthereum(first));
    expect(await typeOf(carol.fid, first.address)).toEqual(kind('custody', 'verified'));
    await hub.submit([carol.transfer(1)]);
    expect(await typeOf(carol.fid, first.address)).toEqual(kind('verified'));
    expect(await typeOf(carol.fid, second.address)).toEqual(kind('custody'));

    const padded = new Uint8Array(Buffer.concat([Buffer.alloc(12), first.address]));
    let logIndex = 500;
    const authKey = async (isAdded: boolean): Promise<IngestItem> => {
      const place = { seed: SEED, fid: carol.fid, at: hub.seeded.clock.tick(), logIndex: logIndex++ };
      const requester = { fid: app.fid, wallet: app.custody };
      const metadata = isAdded ? await signedKeyRequest(padded, requester, 4_000_000_000) : undefined;
      return { kind: 'onchain', event: signerEvent(place, padded, metadata, 2) };
    };
    await hub.submit([await authKey(true)]);
    expect(await typeOf(carol.fid, first.address)).toEqual(kind('auth', 'verified'));
    expect(await typeOf(carol.fid, padded)).toEqual(kind('auth'));
    // An auth address is no signer of messages.
    expect((await one(carol.fid, padded)).status).toBe(404);
    expect((await all(carol.fid)).signers.map(({ key }: SignerJson) => key)).toEqual([hex(carol.signer)]);
    await hub.submit([await authKey(false), carol.removeVerification(0, first.address).item]);
    expect(await typeOf(carol.fid, first.address)).toEqual(kind());
  });

  test('knows Solana addresses, and refuses what is no address', async () => {
    const { bob } = hub.seeded;
    expect(await typeOf(bob.fid, bob.solanaKey(0).publicKey)).toEqual(kind('verified'));
    expect(await typeOf(LARGE_FID, bob.custody.address)).toEqual(kind());
    const address = hex(bob.custody.address);
    const plain = await hub.getUnchecked(`/v1/fidAddressType?fid=${bob.fid}&address=${address.slice(2)}`);
    expect(plain.body).toEqual(kind('custody'));
    for (const [query, details] of [
      [`fid=${bob.fid}`, /^address is required/],
      [`fid=${bob.fid}&address=`, /^address must be/],
      [`fid=${bob.fid}&address=${address}00`, /^address must be/],
      [`fid=${bob.fid}&address=harbor`, /^address must be/],
      [`fid=0&address=${address}`, /^fid must be/],
    ] as const) {
      await refused(`/v1/fidAddressType?${query}`, details);
    }
  });
});

test('there are no peers', async () => {
  expect(await hub.getUnchecked('/v1/currentPeers')).toEqual({ status: 200, body: { contacts: [], peers: [] } });
});
