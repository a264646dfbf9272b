import {
  CastType,
  FarcasterNetwork,
  MessageData,
  MessageType,
  makeKeyAddBody,
  makeKeyRemoveBody,
  UserDataType,
  ViemLocalEip712Signer,
} from '@farcaster/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { IngestItem } from '../src/ingest/item.js';
import { audit } from '../src/ingest/pipeline/audit.js';
import { blake3Hash20 } from '../src/protocol/hash.js';
import { fromUnixMs } from '../src/protocol/time.js';
import { withoutEmptyLists } from '../src/protocol/wire/canonical.js';
import { encodeEnvelope } from '../src/protocol/wire/envelope.js';
import type { Envelope } from '../src/protocol/wire/message.js';
import { encodeByteString } from '../src/protocol/wire/wire.js';
import type { Author } from '../src/sample/author.js';
import { type SignerKey, signerKey } from '../src/sample/key.js';
import { derive } from '../src/sample/random.js';
import { type HubFlow, hex, startHubFlow, type TestResponse } from './support/hub-api.js';
import { FIDS, SEED } from './support/seed.js';

let hub: HubFlow;
beforeAll(async () => {
  hub = await startHubFlow(true);
});
afterAll(() => hub.stop());

const submit = (wire: Uint8Array): Promise<TestResponse> => hub.post('hub-publish-message', '/v1/submitMessage', wire);
/** For kinds whose answer the contract does not describe. */
const submitOther = async (wire: Uint8Array): Promise<void> => {
  const headers = { 'x-api-key': await hub.shell.key(), 'content-type': 'application/octet-stream' };
  const request = { method: 'POST', url: '/v1/submitMessage', headers, payload: Buffer.from(wire) } as const;
  const answer = await hub.shell.server.fastify.inject(request);
  expect([answer.statusCode, answer.json().details]).toEqual([200, undefined]);
};
const validate = async (wire: Uint8Array): Promise<boolean> =>
  (await hub.post('hub-validate-message', '/v1/validateMessage', wire)).body.valid;

const keyOf = (fid: number, index = 0): SignerKey => signerKey(derive(SEED, 'signer', fid, index));

const signBytes = (
  dataBytes: Uint8Array,
  key: SignerKey,
  dataForm: Envelope['dataForm'] = 'data_bytes',
): Uint8Array => {
  const hash = blake3Hash20(dataBytes);
  const signature = key.sign(hash);
  const schemes = { hashScheme: 1, signatureScheme: 1 };
  return encodeEnvelope({ ...schemes, dataBytes, dataForm, hash, signature, signer: key.publicKey });
};

const encode = (fid: number, type: number, body: Partial<MessageData> = {}): Uint8Array =>
  MessageData.encode({
    type: type as MessageType,
    fid,
    timestamp: hub.seeded.clock.tick(),
    network: FarcasterNetwork.DEVNET,
    ...body,
  }).finish();

const castBody = (text: string, type = CastType.CAST, embeds: { url: string }[] = []) => ({
  castAddBody: { text, type, embeds, embedsDeprecated: [], mentions: [], mentionsPositions: [] },
});

const stored = (wireOrHash: Uint8Array) =>
  hub.shell.db.run<{ type: number; data: Buffer }>('select type, data from message where hash = $1', [wireOrHash]);

const refused = async (wire: Uint8Array, details: RegExp, errCode = 'bad_request.validation_failure') => {
  const { status, body } = await submit(wire);
  expect({ status, errCode: body.errCode }).toEqual({ status: 400, errCode });
  expect(body.details).toMatch(details);
};

describe('the form of the data', () => {
  const fid = FIDS.grace;

  test('must be that of hubs, unless the bytes come as data_bytes', async () => {
    const typescript = encode(fid, MessageType.CAST_ADD, castBody('forms'));
    const body = Buffer.from(encode(fid, MessageType.USER_DATA_ADD, { userDataBody: { type: 3, value: 'x' } }));
    const reordered = Buffer.concat([body.subarray(2), body.subarray(0, 2)]);
    await refused(
      signBytes(reordered, keyOf(fid), 'data'),
      /field 1 stands behind field 12; send the bytes as data_bytes/,
    );
    await refused(signBytes(typescript, keyOf(fid), 'data'), /field 5\.2 is an empty list/);
    expect(await stored(blake3Hash20(reordered))).toEqual([]);

    expect((await submit(signBytes(withoutEmptyLists(typescript), keyOf(fid), 'data'))).status).toBe(200);
    expect((await submit(signBytes(reordered, keyOf(fid), 'data_bytes'))).status).toBe(200);
  });
});

describe('kinds that the engine of the network does not take', () => {
  const fid = FIDS.heidi;
  const channelBody = encodeByteString(22, encodeByteString(1, new Uint8Array(32).fill(1)));
  const ofKind = (type: number, size = 0): Uint8Array =>
    Buffer.concat([
      encode(fid, type),
      type === 19 ? channelBody : encodeByteString(type >= 18 && type <= 21 ? type + 3 : 40, new Uint8Array(size)),
    ]);

  test.each([9, 10, 18, 19, 20, 21, 22, 99])('kind %i is refused when it is submitted', async (type) => {
    const data = ofKind(type);
    await refused(signBytes(data, keyOf(fid)), new RegExp(`type ${type}\\b`));
    expect(await stored(blake3Hash20(data))).toEqual([]);
  });

  test('more bytes than hubs take of any such kind are refused as too many', async () => {
    await refused(signBytes(ofKind(99, 20_000), keyOf(fid)), /at most 2048 bytes/);
  });

  test('messages of these kinds that a hub sends are stored unchanged', async () => {
    const data = ofKind(22);
    await hub.submit([{ kind: 'message', wire: signBytes(data, keyOf(fid)) }]);
    expect((await stored(blake3Hash20(data))).map((row) => row.data.toString('hex'))).toEqual([
      Buffer.from(data).toString('hex'),
    ]);
  });

  test('the audit shows those that no hub can have sent', async () => {
    const shown = async () => (await audit(hub.shell.db)).filter(({ what }) => what === 'message.kind');
    const large = ofKind(99, 20_000);
    await hub.submit([{ kind: 'message', wire: signBytes(large, keyOf(fid)) }]);
    const [kept] = await hub.shell.db.run<{ hash: Buffer }>('select hash from message where type = 22');
    const places = [kept?.hash as Uint8Array, blake3Hash20(large)].map((hash) => `${fid} ${hex(hash)}`);
    expect((await shown()).map(({ where }) => where).sort()).toEqual(places.toSorted());
    expect(await shown()).toContainEqual({
      what: 'message.kind',
      where: places[1],
      stored: expect.stringMatching(/^type 99, 20\d{3} bytes$/),
      expected: null,
    });
    // Beside a hub that is followed, messages of newer kinds may have come from it; larger ones than it takes have not.
    await hub.shell.db.run("insert into hub_position (hub, shard, event_id) values ('test', 1, 1)");
    expect((await shown()).map(({ where }) => where)).toEqual([places[1]]);
    await hub.shell.db.run("delete from hub_position where hub = 'test'");
    await hub.shell.db.run('delete from message where type in (22, 99)');
    expect(await shown()).toEqual([]);
  });
});

describe('storage that is lent', () => {
  const unitsOf = async (fid: number): Promise<number> =>
    (await hub.get('hub-lookup-user-storage-limit', `/v1/storageLimitsByFid?fid=${fid}`)).body.units;

  test('is at most what the lender has, less one unit', async () => {
    const { grace, bob } = hub.seeded;
    const lend = (toFid: number, units: number) => grace.lendStorage(toFid, units, fromUnixMs(Date.now())).wire;
    await hub.submit([grace.rent(2, hub.seeded.clock.tick())]);
    const [own, other] = [await unitsOf(FIDS.grace), await unitsOf(FIDS.bob)];
    await refused(lend(bob.fid, own), /and one stays/, 'bad_request.no_storage');
    await submitOther(lend(bob.fid, own - 1));
    expect(await unitsOf(bob.fid)).toBe(other + own - 1);
    await refused(lend(FIDS.heidi, 1), /no room|and one stays/, 'bad_request.no_storage');
  });
});

describe('keys', () => {
  const DEADLINE = 2_000_000_000;
  const custody = (person: Author) => new ViemLocalEip712Signer(person.custody.account as never);
  const nextKey = (index: number): SignerKey => keyOf(FIDS.alice, 100 + index);

  const keyAdd = async (person: Author, key: SignerKey, nonce: number, requester = hub.seeded.app) => {
    const body = await makeKeyAddBody(
      {
        fid: BigInt(person.fid),
        key: key.publicKey,
        scopes: [MessageType.CAST_ADD],
        ttl: 86_400,
        nonce,
        deadline: DEADLINE,
        requestFid: BigInt(requester.fid),
      },
      custody(person),
      custody(requester),
    );
    return signBytes(encode(person.fid, MessageType.KEY_ADD, { keyAddBody: body._unsafeUnwrap() }), key);
  };

  const keyRemove = async (person: Author, key: SignerKey, nonce: number) => {
    const options = { fid: BigInt(person.fid), key: key.publicKey, nonce, deadline: DEADLINE };
    const body = await makeKeyRemoveBody(options, custody(person));
    return signBytes(encode(person.fid, MessageType.KEY_REMOVE, { keyRemoveBody: body._unsafeUnwrap() }), key);
  };

  const selfRemove = (person: Author, key: SignerKey, nonce: number) =>
    signBytes(
      encode(person.fid, MessageType.KEY_REMOVE, {
        keyRemoveBody: {
          key: key.publicKey,
          signature: new Uint8Array(0),
          signatureType: 2,
          deadline: DEADLINE,
          nonce,
        },
      }),
      key,
    );

  test('that were never added cannot be removed, those registered onchain not by a message', async () => {
    const { alice } = hub.seeded;
    await refused(await keyRemove(alice, nextKey(1), 1), /is not registered for fid/);
    await refused(selfRemove(alice, nextKey(1), 1), /is not registered for fid/);
    await refused(await keyRemove(alice, keyOf(alice.fid), 1), /is not registered for fid/);
    expect(await hub.shell.db.run('select 1 from message where message_set = 9')).toEqual([]);
  });

  test('are added and removed once each, with rising nonces', async () => {
    const { alice, bob } = hub.seeded;
    const key = nextKey(2);
    await refused(await keyAdd(alice, keyOf(alice.fid), 1), /registered onchain/);
    await submitOther(await keyAdd(alice, key, 5));
    await refused(await keyAdd(bob, key, 1), /belongs to fid/);
    await refused(await keyAdd(alice, key, 6, bob), /another app/);
    await refused(await keyAdd(alice, nextKey(3), 5), /nonce must be above 5/);
    await refused(await keyRemove(alice, key, 4), /nonce must be above 5/);
    await submitOther(await keyRemove(alice, key, 6));
    await refused(await keyRemove(alice, key, 7), /is not registered for fid/);
    // The removal, which the removed key signed, is stored; it keeps the old registration from coming back.
    await refused(await keyAdd(alice, key, 5), /nonce must be above 6/);
    await submitOther(await keyAdd(alice, nextKey(3), 7));
    await submitOther(selfRemove(alice, nextKey(3), 1));
    expect(await audit(hub.shell.db)).toEqual([]);
  });
});

describe('validateMessage', () => {
  test('looks at the message and the subscription, not at keys and storage, as a hub does', async () => {
    const { grace } = hub.seeded;
    const at = () => hub.seeded.clock.tick();
    expect(await validate(grace.withKey(9).cast({ text: 'by a key that nobody registered', at: at() }).wire)).toBe(
      true,
    );
    const unregistered = encode(4_000_000, MessageType.CAST_ADD, castBody('by nobody'));
    expect(await validate(signBytes(unregistered, keyOf(4_000_000)))).toBe(true);

    const long = () => grace.cast({ text: 'x'.repeat(10_000), at: at() }).wire;
    const banner = () => grace.userData(UserDataType.BANNER, 'https://example.org/banner.png', at()).wire;
    const urls = Array.from({ length: 4 }, (_, n) => ({ url: `https://example.org/${n}`.padEnd(256, 'x') }));
    const heavy = () =>
      signBytes(encode(FIDS.grace, 1, castBody('x'.repeat(1024), CastType.LONG_CAST, urls)), keyOf(FIDS.grace));
    for (const wire of [long(), banner(), heavy()]) {
      expect(await validate(wire)).toBe(false);
      await refused(wire, /needs a pro subscription/);
    }
    await hub.submit([grace.buyPro(365, at())]);
    for (const wire of [long(), banner(), heavy()]) expect(await validate(wire)).toBe(true);
  });
});

test('a message that another key signed again after its first key was revoked shows its new signature', async () => {
  const { erin, alice, casts } = hub.seeded;
  const [first, second] = [erin.withKey(21), erin.withKey(22)];
  await hub.submit([await first.addSigner(), await second.addSigner()]);
  const at = hub.seeded.clock.tick();
  const messages = (by: Author) => [
    by.cast({ text: 'signed twice', parent: casts.hello, embeds: [casts.quote], at }),
    by.cast({ text: ['hello ', alice.fid], at: at + 1 }),
    by.react('recast', casts.quote, at + 2),
    by.follow(FIDS.heidi, at + 3),
    by.userData(UserDataType.BIO, 'signed twice', at + 4),
  ];
  const cast = hex(messages(first)[0]?.hash as Uint8Array);
  const target = `target_fid=${casts.quote.fid}&target_hash=${hex(casts.quote.hash)}&reaction_type=Recast`;
  const pages: [string, string][] = [
    ['hub-fetch-users-casts', `/v1/castsByFid?fid=${erin.fid}&reverse=true`],
    ['hub-lookup-cast-by-hash-and-fid', `/v1/castById?fid=${erin.fid}&hash=${cast}`],
    ['hub-fetch-casts-by-parent', `/v1/castsByParent?fid=${alice.fid}&hash=${hex(casts.hello.hash)}`],
    ['hub-fetch-casts-mentioning-user', `/v1/castsByMention?fid=${alice.fid}`],
    ['hub-fetch-user-reactions', `/v1/reactionsByFid?fid=${erin.fid}&reaction_type=Recast`],
    ['hub-fetch-cast-reactions', `/v1/reactionsByCast?${target}`],
    ['hub-fetch-user-following', `/v1/linksByFid?fid=${erin.fid}&link_type=follow`],
    ['hub-fetch-user-followers', `/v1/linksByTargetFid?target_fid=${FIDS.heidi}&link_type=follow`],
    ['hub-fetch-user-data', `/v1/userDataByFid?fid=${erin.fid}&user_data_type=3`],
    ['hub-fetch-user-data', `/v1/userDataByFid?fid=${erin.fid}`],
  ];
  const signersAt = async ([id, path]: [string, string]): Promise<string[]> => {
    const { body } = await hub.get(id, path);
    const own = (body.messages ?? [body]) as { signer: string; data: { fid: number; timestamp: number } }[];
    return own.filter(({ data }) => data.fid === erin.fid && data.timestamp > 0).map(({ signer }) => signer);
  };
  const withKey = async (by: Author) =>
    Promise.all(pages.map(async (page) => [page[1], (await signersAt(page)).includes(hex(by.signer))]));

  const all = pages.map(([, path]) => [path, true]);
  await hub.submit(messages(first).map(({ item }) => item));
  expect(await withKey(first)).toEqual(all);
  // As a hub tells it that catches up: the removal of the key, what it revokes, and the messages again, in one batch.
  const revoked = messages(first).map(({ wire }): IngestItem => ({ kind: 'removal', reason: 'revoke', wire }));
  await hub.submit([first.removeSigner(), ...revoked, ...messages(second).map(({ item }) => item)]);
  // Told late, a second time.
  await hub.submit(revoked);
  expect(messages(second).map(({ hash }) => hex(hash))).toEqual(messages(first).map(({ hash }) => hex(hash)));
  expect(await withKey(second)).toEqual(all);
  expect(await withKey(first)).toEqual(pages.map(([, path]) => [path, false]));
});
