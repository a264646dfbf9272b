import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { MessageData, MessageType, UserDataType } from '@farcaster/core';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../error.js';
import { author } from '../../sample/author.js';
import { blake3Hash20 } from '../hash.js';
import { decodeMessage } from '../wire/decode.js';
import { decodeEnvelope, encodeEnvelope } from '../wire/envelope.js';
import type { Envelope } from '../wire/message.js';
import { messageToJson } from './message.js';
import { messageFromJson } from './message-read.js';

type Json = Record<string, unknown> & { data: Record<string, Record<string, unknown>> };

/** As it goes over the network: through text. */
const render = (wire: Uint8Array): Json =>
  JSON.parse(JSON.stringify(messageToJson(decodeMessage(decodeEnvelope(wire)))));

const alice = author({ seed: 'hub-json', fid: 7, dataForm: 'data' });
const ref = { fid: 9, hash: alice.cast({ text: 'x' }).hash };

/** Bodies are what matters here, so the envelope need not be signed. */
const unsigned = (type: number, body: Partial<MessageData>, form: Partial<Envelope> = {}): Uint8Array => {
  const dataBytes = MessageData.encode(
    MessageData.create({ type, fid: 7, timestamp: 1, network: 1, ...(body as object) }),
  ).finish();
  return encodeEnvelope({
    dataBytes,
    dataForm: 'data',
    hash: blake3Hash20(dataBytes),
    hashScheme: 1,
    signature: createHash('sha512').update(dataBytes).digest(),
    signatureScheme: 1,
    signer: createHash('sha256').update(dataBytes).digest(),
    ...form,
  });
};

const bytes = (length: number, fill: number): Uint8Array => new Uint8Array(length).fill(fill);

const kinds: Record<string, Uint8Array> = {
  cast: alice.cast({ text: ['gm ', 3, ' 🏴‍☠️!'], embeds: ['https://example.org/a?b=c', ref], parent: ref }).wire,
  'long cast under a URL': alice.cast({ text: 'é'.repeat(400), parent: 'https://example.org/channel' }).wire,
  'cast removal': alice.removeCast(ref.hash).wire,
  like: alice.react('like', ref).wire,
  'removed recast of a URL': alice.unreact('recast', 'https://example.org').wire,
  follow: alice.follow(3).wire,
  'block with its own time': unsigned(MessageType.LINK_ADD, {
    linkBody: { type: 'block', displayTimestamp: 5, targetFid: 2 ** 53 - 1 },
  }),
  unfollow: alice.unfollow(3).wire,
  'compact links': alice.compactLinks('follow', [1, 2, 3]).wire,
  bio: alice.userData(UserDataType.BIO, '').wire,
  'primary address': alice.userData(UserDataType.USER_DATA_PRIMARY_ADDRESS_SOLANA, 'x').wire,
  'ethereum verification': (await alice.verifyEthereum(alice.wallet(1))).wire,
  'contract verification': unsigned(MessageType.VERIFICATION_ADD_ETH_ADDRESS, {
    verificationAddAddressBody: {
      address: bytes(20, 1),
      claimSignature: bytes(300, 2),
      blockHash: bytes(32, 3),
      verificationType: 1,
      chainId: 8453,
      protocol: 0,
    },
  }),
  'solana verification': alice.verifySolana(alice.solanaKey(0)).wire,
  'ethereum verification removal': alice.removeVerification(0, bytes(20, 9)).wire,
  'solana verification removal': alice.removeVerification(1, bytes(32, 9)).wire,
  'ens proof': (await alice.ensProof('alice.eth')).wire,
  'basename proof': (await alice.ensProof('alice.base.eth')).wire,
  lending: alice.lendStorage(4, 2).wire,
  'frame action': unsigned(MessageType.FRAME_ACTION, {
    frameActionBody: {
      url: Buffer.from('https://example.org/frame'),
      buttonIndex: 2,
      castId: ref,
      inputText: Buffer.from('hi'),
      state: bytes(3, 1),
      transactionId: bytes(32, 1),
      address: bytes(20, 1),
    },
  }),
  'key add': unsigned(MessageType.KEY_ADD, {
    keyAddBody: {
      key: bytes(32, 1),
      keyType: 1,
      custodySignature: bytes(65, 2),
      deadline: 9,
      nonce: 1,
      metadata: bytes(7, 3),
      metadataType: 1,
      registrationTxHash: new Uint8Array(),
      scopes: [1, 21],
      ttl: 60,
    },
  }),
  'key removal': unsigned(MessageType.KEY_REMOVE, {
    keyRemoveBody: { key: bytes(32, 1), signature: bytes(65, 1), signatureType: 1, deadline: 9, nonce: 2 },
  }),
};

describe('a message in hub JSON', () => {
  it.each(Object.entries(kinds))('%s goes there and back byte for byte', (_name, wire) => {
    const json = render(wire);
    expect(json).not.toHaveProperty('dataBytes');
    expect(Buffer.from(messageFromJson(json))).toEqual(Buffer.from(wire));
  });

  it.each(Object.entries(kinds))('%s keeps its data bytes when it came with them', (_name, wire) => {
    const raw = encodeEnvelope({ ...decodeEnvelope(wire), dataForm: 'data_bytes' });
    const json = render(raw);
    expect(json.dataBytes).toBe(Buffer.from(decodeEnvelope(wire).dataBytes).toString('base64'));
    expect(Buffer.from(messageFromJson(json))).toEqual(Buffer.from(raw));
  });

  it('has the contract form', () => {
    const { data, ...rest } = render(kinds['ethereum verification'] as Uint8Array);
    expect(rest).toEqual({
      hash: expect.stringMatching(/^0x[0-9a-f]{40}$/),
      hashScheme: 'HASH_SCHEME_BLAKE3',
      signature: expect.stringMatching(/^[A-Za-z0-9+/]{86}==$/),
      signatureScheme: 'SIGNATURE_SCHEME_ED25519',
      signer: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    expect(data).toMatchObject({ type: 'MESSAGE_TYPE_VERIFICATION_ADD_ETH_ADDRESS', network: 'SOCIAL_NETWORK_DEVNET' });
    const { address, ethSignature, blockHash } = data.verificationAddEthAddressBody ?? {};
    expect(address).toMatch(/^0x[0-9a-f]{40}$/);
    expect(data.verificationAddAddressBody).toMatchObject({ address, claimSignature: ethSignature, blockHash });
  });

  it('writes Solana addresses in base58, names as text, reactions in one word', () => {
    const solana = render(kinds['solana verification'] as Uint8Array).data.verificationAddEthAddressBody;
    expect(solana?.address).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
    expect(render(kinds['ens proof'] as Uint8Array).data.usernameProofBody?.name).toBe('alice.eth');
    expect(render(kinds.like as Uint8Array).data.reactionBody?.type).toBe('Like');
    const removal = render(kinds['cast removal'] as Uint8Array).data;
    expect(removal.targetHash).toBe(`0x${Buffer.from(ref.hash).toString('hex')}`);
    expect(removal.castRemoveBody?.targetHash).toBe(Buffer.from(ref.hash).toString('base64'));
  });

  it('keeps unknown types in their data bytes', () => {
    const data = Buffer.concat([
      MessageData.encode(MessageData.create({ type: 21 as MessageType, fid: 7, timestamp: 1, network: 1 })).finish(),
      Buffer.from('c2010441424344', 'hex'), // field 24, four bytes
    ]);
    const envelope = { ...decodeEnvelope(kinds.follow as Uint8Array), dataBytes: data, hash: blake3Hash20(data) };
    const json = render(encodeEnvelope(envelope));
    expect(json.data.type).toBe('MESSAGE_TYPE_CHANNEL_MODERATE');
    const back = decodeEnvelope(messageFromJson(json));
    expect(Buffer.from(back.dataBytes)).toEqual(data);
    expect(back.dataForm).toBe('data_bytes');
    expect(Buffer.from(back.hash)).toEqual(Buffer.from(envelope.hash));
    const unnamed = render(unsigned(99, {}));
    expect(unnamed.data.type).toBe('MESSAGE_TYPE_99');
    expect(decodeMessage(decodeEnvelope(messageFromJson(unnamed))).type).toBe(99);
  });
});

describe('reading what other software writes', () => {
  const cast = render(kinds.cast as Uint8Array);
  const same = (change: (json: Json) => void, name = 'cast'): void => {
    const json = structuredClone(render(kinds[name] as Uint8Array));
    change(json);
    expect(Buffer.from(messageFromJson(json))).toEqual(Buffer.from(kinds[name] as Uint8Array));
  };

  it('reads enumerations by number and in the spellings of hub software', () => {
    same(({ data }) => Object.assign(data, { network: 'FARCASTER_NETWORK_DEVNET', type: 1 }));
    same((json) => Object.assign(json, { hashScheme: 1, signatureScheme: 1 }));
    same(({ data }) => Object.assign(data.reactionBody ?? {}, { type: 'REACTION_TYPE_LIKE' }), 'like');
    same(({ data }) => Object.assign(data.castAddBody ?? {}, { type: 'CAST' }));
    same(({ data }) => Object.assign(data.lendStorageBody ?? {}, { unitType: 'UNIT_TYPE_2025' }), 'lending');
  });

  it('reads null like an absent member', () => {
    same(({ data }) => Object.assign(data.castAddBody ?? {}, { parentUrl: null, embedsDeprecated: null }));
    same(({ data }) => delete data.castAddBody?.embedsDeprecated);
    same(({ data }) => Object.assign(data.linkBody ?? {}, { displayTimestamp: null }), 'follow');
    same((json) => Object.assign(json, { dataBytes: null }));
  });

  it('reads 64-bit numbers as strings', () => {
    same(({ data }) => Object.assign(data, { fid: '7' }));
    same(
      ({ data }) => Object.assign(data.linkBody ?? {}, { targetFid: '9007199254740991' }),
      'block with its own time',
    );
  });

  it('reads hashes in hex without 0x and in base64, signatures in hex', () => {
    const hash = Buffer.from(String(cast.hash).slice(2), 'hex');
    same((json) => Object.assign(json, { hash: hash.toString('hex').toUpperCase() }));
    same((json) => Object.assign(json, { hash: hash.toString('base64') }));
    same((json) => Object.assign(json, { hash: hash.toString('base64').replace(/=+$/, '') }));
    const signature = Buffer.from(String(cast.signature), 'base64');
    same((json) => Object.assign(json, { signature: `0x${signature.toString('hex')}` }));
  });

  it('is not misled by base64 that starts like hex', () => {
    const signature = Buffer.alloc(64, 0xd3);
    signature[1] = 0x1f;
    const wire = unsigned(MessageType.USER_DATA_ADD, { userDataBody: { type: 1, value: 'x' } }, { signature });
    expect(String(render(wire).signature)).toMatch(/^0x/);
    expect(Buffer.from(messageFromJson(render(wire)))).toEqual(Buffer.from(wire));
  });

  it('reads both forms of a cast removal and of a verification', () => {
    same(({ data }) => delete (data as Record<string, unknown>).castRemoveBody, 'cast removal');
    same(({ data }) => delete (data as Record<string, unknown>).targetHash, 'cast removal');
    same(({ data }) => Object.assign(data.castRemoveBody ?? {}, { targetHash: data.targetHash }), 'cast removal');
    const older = (name: string) =>
      same(({ data }) => delete (data as Record<string, unknown>).verificationAddAddressBody, name);
    older('ethereum verification');
    older('solana verification');
    same(({ data }) => delete data.verificationAddAddressBody?.verificationType, 'contract verification');
    same(({ data }) => delete data.verificationAddAddressBody?.type, 'contract verification');
    same(({ data }) => delete data.verificationRemoveBody?.protocol, 'solana verification removal');
  });

  it('reads the URL of a frame as text and in base64', () => {
    same(({ data }) => {
      Object.assign(data.frameActionBody ?? {}, { url: Buffer.from('https://example.org/frame').toString('base64') });
    }, 'frame action');
  });
});

describe('bad JSON', () => {
  const faults: [string, string, (json: Json) => unknown][] = [
    ['', 'no object', () => [1]],
    ['', 'null', () => null],
    ['data', 'no data', (json) => ({ ...json, data: undefined })],
    ['hash', 'a short hash', (json) => ({ ...json, hash: '0x12' })],
    ['hash', 'a number as hash', (json) => ({ ...json, hash: 12 })],
    ['hash', 'no hash', (json) => ({ ...json, hash: undefined })],
    ['signature', 'text as signature', (json) => ({ ...json, signature: 'a b' })],
    ['signer', 'an odd signer', (json) => ({ ...json, signer: '0x123' })],
    ['signatureScheme', 'a strange scheme', (json) => ({ ...json, signatureScheme: 'RSA' })],
    ['dataBytes', 'data bytes that are no base64', (json) => ({ ...json, dataBytes: '!' })],
    ['data.type', 'an unknown kind', (json) => ({ ...json, data: { ...json.data, type: 'MESSAGE_TYPE_NEW' } })],
    ['data.type', 'a kind without body', (json) => ({ ...json, data: { ...json.data, type: 'MESSAGE_TYPE_20' } })],
    ['data.fid', 'a truth value as fid', (json) => ({ ...json, data: { ...json.data, fid: true } })],
    ['data.fid', 'a fid below 0', (json) => ({ ...json, data: { ...json.data, fid: -1 } })],
    ['data.fid', 'a fid beyond a double', (json) => ({ ...json, data: { ...json.data, fid: '9007199254740993' } })],
    ['data.timestamp', 'a late timestamp', (json) => ({ ...json, data: { ...json.data, timestamp: 2 ** 32 } })],
    ['data.network', 'a strange network', (json) => ({ ...json, data: { ...json.data, network: 'MARS' } })],
    ['data.castAddBody', 'no body', (json) => ({ ...json, data: { ...json.data, castAddBody: null } })],
    ...(
      [
        ['mentions', 'mentions that are no list', 1, 'mentions'],
        ['mentions', 'a strange mention', [1, 'x'], 'mentions[1]'],
        ['mentionsPositions', 'a position below 0', [-1], 'mentionsPositions[0]'],
        ['text', 'no text', 5, 'text'],
        ['embeds', 'an empty embed', [{}], 'embeds[0].url'],
        ['embeds', 'an embed of both kinds', [{ url: 'x', castId: ref }], 'embeds[0].url'],
        ['embeds', 'an embed of a cast without hash', [{ castId: { fid: 1 } }], 'embeds[0].castId.hash'],
        ['parentUrl', 'two parents', 'https://example.org', 'parentUrl'],
        ['type', 'a strange type of cast', 'SHORT', 'type'],
      ] as const
    ).map(([name, what, value, at]): [string, string, (json: Json) => unknown] => [
      `data.castAddBody.${at}`,
      what,
      (json) => ({ ...json, data: { ...json.data, castAddBody: { ...json.data.castAddBody, [name]: value } } }),
    ]),
  ];

  it.each(faults)('names %j for %s', (property, _what, change) => {
    const json = change(render(kinds.cast as Uint8Array));
    let thrown: unknown;
    try {
      messageFromJson(json);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(AppError);
    expect(thrown).toMatchObject({ kind: 'invalid', hubCode: 'bad_request.parse_failure' });
    expect((thrown as AppError).property).toBe(property === '' ? undefined : property);
  });
});

const REAL = new URL('../../../../shared/data/mainnet-2024-04.ndjson', import.meta.url);

describe.skipIf(!existsSync(REAL))('real messages', () => {
  const lines = existsSync(REAL) ? readFileSync(REAL, 'utf8').trim().split('\n') : [];
  const messages = lines.map((line): Json => JSON.parse(line));

  it('keep their hash on the way to the wire', () => {
    expect(messages).toHaveLength(651);
    for (const json of messages) {
      const envelope = decodeEnvelope(messageFromJson(json));
      expect(Buffer.from(blake3Hash20(envelope.dataBytes)).toString('hex')).toBe(String(json.hash).slice(2));
      expect(envelope.dataForm).toBe(json.dataBytes === undefined ? 'data' : 'data_bytes');
    }
  });

  it('come back as they were, but for the network name and the hash of a removal in its second place', () => {
    for (const json of messages) {
      const expected = structuredClone(json);
      Object.assign(expected.data, { network: 'SOCIAL_NETWORK_MAINNET' });
      const removed = json.data.castRemoveBody?.targetHash;
      if (removed) {
        Object.assign(expected.data, { targetHash: `0x${Buffer.from(String(removed), 'base64').toString('hex')}` });
      }
      expect(render(messageFromJson(json))).toEqual(expected);
    }
  });
});
