import {
  eip712,
  Message,
  MessageData,
  OnChainEvent,
  SIGNED_KEY_REQUEST_VALIDATOR_EIP_712_TYPES,
  UserDataType,
  type UserNameProof,
  validations,
} from '@farcaster/core';
import { bytesToHex, decodeAbiParameters, recoverTypedDataAddress } from 'viem';
import { expect, test } from 'vitest';
import type { IngestItem } from '../ingest/item.js';
import { author } from './author.js';
import { createClock, sampleTime } from './clock.js';
import { nodeSignerKey, signerKey } from './key.js';
import { derive } from './random.js';
import type { Signed } from './signed-message.js';
import { nameServer } from './verification-claim.js';

const seed = 'author test';
const alice = author({ seed, fid: 2 });
const bob = author({ seed, fid: 3, dataForm: 'data_bytes' });

const read = ({ wire }: Signed) => {
  const message = Message.decode(wire);
  return { message, data: message.data ?? MessageData.decode(message.dataBytes ?? new Uint8Array()) };
};
const onchain = (item: IngestItem): OnChainEvent => (item.kind === 'onchain' ? item.event : OnChainEvent.create());

test('every kind of message passes the validation of the protocol package', async () => {
  const now = sampleTime(Date.now());
  const cast = alice.cast({ text: 'gm' });
  const messages: Record<string, Signed> = {
    cast,
    'data_bytes form': bob.cast({ text: 'gm' }),
    'cast with everything': bob.cast({
      text: ['👋🏽 ', 2, ' 🇵🇹 olá'],
      embeds: ['https://example.com/a', cast],
      parent: cast,
    }),
    'cast to a channel': alice.cast({ text: 'hello', parent: 'https://channel.example/~/channel/books' }),
    'long cast': alice.cast({ text: 'long '.repeat(100) }),
    'ten thousand bytes': alice.cast({ text: 'longer '.repeat(1000) }),
    'cast removal': alice.removeCast(cast.hash),
    like: bob.react('like', cast),
    'like of a URL': bob.react('like', 'https://example.com/'),
    unlike: bob.unreact('like', cast),
    recast: bob.react('recast', cast),
    follow: bob.follow(2),
    unfollow: bob.unfollow(2),
    block: alice.link('block', 3),
    unblock: alice.unlink('block', 3),
    'compact state': alice.compactLinks('follow', [3, 4, 5]),
    bio: alice.userData(UserDataType.BIO, 'with @bob'),
    location: alice.userData(UserDataType.LOCATION, 'geo:38.72,-9.14'),
    'ethereum address': await alice.verifyEthereum(alice.wallet(1)),
    'solana address': alice.verifySolana(alice.solanaKey(0)),
    'address removal': alice.removeVerification(0, alice.wallet(1).address),
    'ENS name': await alice.ensProof('alice.eth'),
    'base name': await alice.ensProof('alice.base.eth', { owner: alice.wallet(1) }),
    'another key': alice.withKey(1).cast({ text: 'from my other app', at: now }),
    'storage lent': alice.lendStorage(3, 1, Math.floor(Date.now() / 1000) - 1_609_459_200),
  };
  for (const [name, message] of Object.entries(messages)) {
    const checked = await validations.validateMessage(Message.decode(message.wire));
    expect(checked.isOk() ? 'valid' : checked.error.message, name).toBe('valid');
    expect(Buffer.from(read(message).message.hash), name).toEqual(Buffer.from(message.hash));
  }
  expect(Message.decode(messages['data_bytes form']?.wire ?? new Uint8Array()).data).toBeUndefined();
});

test('mention positions count UTF-8 bytes of the text without the mentions', () => {
  const { castAddBody } = read(alice.cast({ text: ['🇯🇵 é ', 3, ' 日本 ', 4, 5] })).data;
  expect(castAddBody).toMatchObject({ text: '🇯🇵 é  日本 ', mentions: [3, 4, 5], mentionsPositions: [12, 20, 20] });
});

test('the clock orders messages without a time, and a shared one orders authors', () => {
  const clock = createClock(1000);
  const [one, two] = [author({ seed, fid: 2, clock }), author({ seed, fid: 3, clock })];
  const times = [one.cast({ text: 'a' }), two.cast({ text: 'b' }), one.cast({ text: 'c' })].map((m) => m.timestamp);
  expect(times).toEqual([1001, 1002, 1003]);
});

test('the same seed and fid give the same bytes, another fid or seed other keys', async () => {
  const make = async (from: string, fid: number) => {
    const someone = author({ seed: from, fid });
    return [someone.cast({ text: 'gm' }).wire, (await someone.verifyEthereum(someone.wallet(1))).wire];
  };
  expect(await make(seed, 2)).toEqual(await make(seed, 2));
  expect(author({ seed, fid: 3 }).signer).not.toEqual(alice.signer);
  expect(author({ seed: 'other', fid: 2 }).signer).not.toEqual(alice.signer);
});

test('libsodium and node:crypto derive the same key and signature', () => {
  const secret = derive(seed, 'secret');
  const message = Buffer.from('message');
  expect(nodeSignerKey(secret).publicKey).toEqual(signerKey(secret).publicKey);
  expect(nodeSignerKey(secret).sign(message)).toEqual(signerKey(secret).sign(message));
});

test('a username proof is signed by the name server, for the custody address', async () => {
  const item = await alice.fnameProof('alice');
  const proof = (item.kind === 'proof' ? item.proof : undefined) as UserNameProof;
  const signer = await recoverTypedDataAddress({
    ...eip712.USERNAME_PROOF_EIP_712_TYPES,
    primaryType: 'UserNameProof',
    message: { name: 'alice', timestamp: BigInt(proof.timestamp), owner: bytesToHex(proof.owner) },
    signature: bytesToHex(proof.signature),
  });
  expect(signer).toBe(nameServer(seed).account.address);
  expect(proof.owner).toEqual(alice.custody.address);
});

test('a key event contains the signed request of the app', async () => {
  const app = author({ seed, fid: 1 });
  const event = onchain(await alice.addSigner({ requester: { fid: 1, wallet: app.custody } }));
  expect(event.signerEventBody?.key).toEqual(alice.signer);
  const [request] = decodeAbiParameters(
    [
      {
        type: 'tuple',
        components: [
          { name: 'requestFid', type: 'uint256' },
          { name: 'requestSigner', type: 'address' },
          { name: 'signature', type: 'bytes' },
          { name: 'deadline', type: 'uint256' },
        ],
      },
    ],
    event.signerEventBody?.metadata as Uint8Array,
  );
  const signer = await recoverTypedDataAddress({
    ...SIGNED_KEY_REQUEST_VALIDATOR_EIP_712_TYPES,
    primaryType: 'SignedKeyRequest',
    message: { requestFid: request.requestFid, key: bytesToHex(alice.signer), deadline: request.deadline },
    signature: request.signature,
  });
  expect([request.requestFid, request.requestSigner]).toEqual([1n, app.custody.account.address]);
  expect(signer).toBe(app.custody.account.address);
});

test('onchain events survive encoding, each with its own transaction', async () => {
  const clock = createClock(sampleTime());
  const carol = author({ seed, fid: 4, clock });
  const second = carol.withKey(1);
  const items = [
    carol.register(),
    await carol.addSigner(),
    await second.addSigner(),
    carol.rent(2),
    carol.buyPro(365),
    second.removeSigner(),
    carol.transfer(1),
  ];
  const events = items.map(onchain);
  for (const event of events) {
    const again = OnChainEvent.decode(OnChainEvent.encode(event).finish());
    expect(OnChainEvent.toJSON(again)).toEqual(OnChainEvent.toJSON(event));
  }
  expect(new Set(events.map((event) => bytesToHex(event.transactionHash))).size).toBe(events.length);
  expect(events.at(-1)?.idRegisterEventBody?.to).toEqual(carol.wallet(1).address);
});

test('the sample ends at one fixed time, in the past if the clock is behind, and never older than storage lasts', () => {
  const day = 86_400_000;
  const fixed = (Date.parse('2026-11-01') - Date.parse('2021-01-01')) / 1000;
  expect(sampleTime(Date.parse('2026-11-01'))).toBe(fixed);
  expect(sampleTime(Date.parse('2027-09-01'))).toBe(fixed);
  const age = (now: number) => now - (sampleTime(now) * 1000 + Date.parse('2021-01-01'));
  for (const now of [Date.parse('2025-03-03'), Date.parse('2027-11-20'), Date.parse('2040-02-29')]) {
    expect(age(now)).toBeGreaterThanOrEqual(0);
    expect(age(now)).toBeLessThan(11 * 28 * day);
  }
  expect(age(Date.parse('2025-03-03'))).toBeLessThan(28 * day);
});
