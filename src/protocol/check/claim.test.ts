import {
  FarcasterNetwork,
  type KeyAddBody,
  type KeyRemoveBody,
  type MessageData,
  MessageType,
  makeKeyAddBody,
  makeKeyRemoveBody,
  makeKeyRemoveBodySelfRevoke,
  makeVerificationAddressClaim,
  Protocol,
  recreateSolanaClaimMessage,
  UserNameType,
  type VerificationAddAddressBody,
  type VerificationAddressClaimEthereum,
  type VerificationAddressClaimSolana,
  ViemLocalEip712Signer,
} from '@farcaster/core';
import { ed25519 } from '@noble/curves/ed25519';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { bodyData, NOW, NOW_SECONDS, PUBLIC_KEY, sign } from '../../../test/support/signed-message.js';
import { recoverKeyAdd, recoverKeyRemove } from '../eip712.js';
import { toUnixMs } from '../time.js';
import { type VerifyOptions, verifyWire } from '../verify/verify.js';

// Claims are signed with the protocol's package and viem, so that both sides of each check are independent.
const FID = 1234;
const owner = new ViemLocalEip712Signer(privateKeyToAccount(`0x${'11'.repeat(32)}`));
const app = new ViemLocalEip712Signer(privateKeyToAccount(`0x${'22'.repeat(32)}`));
const address = (await owner.getSignerKey())._unsafeUnwrap();
const blockHash = new Uint8Array(32).fill(9);

const ethClaim = makeVerificationAddressClaim(FID, address, FarcasterNetwork.MAINNET, blockHash, Protocol.ETHEREUM);
const ethSignature = (
  await owner.signVerificationEthAddressClaim(ethClaim._unsafeUnwrap() as VerificationAddressClaimEthereum, 0)
)._unsafeUnwrap();

const reasonOf = (data: MessageData, options: Partial<VerifyOptions> = {}): string => {
  const result = verifyWire(sign(data), { now: NOW, ...options });
  return result.ok ? 'ok' : result.reason;
};

describe('a verified Ethereum address', () => {
  const good: VerificationAddAddressBody = {
    address,
    claimSignature: ethSignature,
    blockHash,
    verificationType: 0,
    chainId: 0,
    protocol: Protocol.ETHEREUM,
  };
  const verification = (changes: Partial<VerificationAddAddressBody>, data: Partial<MessageData> = {}): MessageData =>
    bodyData(MessageType.VERIFICATION_ADD_ETH_ADDRESS, {
      verificationAddAddressBody: { ...good, ...changes },
      ...data,
    });
  const tampered = Uint8Array.from(good.claimSignature, (byte, index) => (index === 40 ? byte ^ 1 : byte));

  it.each<[string, MessageData, string]>([
    ['holds', verification({}), 'ok'],
    ['holds with a chain of the list', verification({ chainId: 10 }), 'ok'],
    ['fails for another fid', verification({}, { fid: 5 }), 'bad_claim'],
    ['fails for another network', verification({}, { network: FarcasterNetwork.TESTNET }), 'bad_claim'],
    ['fails for another address', verification({ address: new Uint8Array(20).fill(1) }), 'bad_claim'],
    ['fails for another block', verification({ blockHash: new Uint8Array(32) }), 'bad_claim'],
    ['fails for a changed signature', verification({ claimSignature: tampered }), 'bad_claim'],
    ['fails without a signature', verification({ claimSignature: new Uint8Array(0) }), 'bad_claim'],
    ['fails for a signature of zeros', verification({ claimSignature: new Uint8Array(65) }), 'bad_claim'],
    ['fails for a signature of ones', verification({ claimSignature: new Uint8Array(65).fill(255) }), 'bad_claim'],
    ['fails for a chain outside the list', verification({ chainId: 8453 }), 'bad_claim'],
    ['fails for an unknown type', verification({ verificationType: 2 }), 'bad_claim'],
    ['fails for a short block hash', verification({ blockHash: new Uint8Array(31) }), 'bad_claim'],
    ['fails for a short address', verification({ address: new Uint8Array(19) }), 'bad_address'],
    ['fails as a Solana address', verification({ protocol: Protocol.SOLANA }), 'bad_address'],
  ])('%s', (_name, data, reason) => {
    expect(reasonOf(data)).toBe(reason);
  });

  it('accepts the recovery bytes 0 and 1, and 27 and 28', () => {
    const recovery = (good.claimSignature[64] as number) % 27;
    for (const byte of [recovery, recovery + 27]) {
      const claimSignature = Uint8Array.from(good.claimSignature);
      claimSignature[64] = byte;
      expect(reasonOf(verification({ claimSignature }))).toBe('ok');
    }
  });

  it('of a contract is accepted from a hub and rejected in an unchecked submission', () => {
    const contract = verification({ verificationType: 1, chainId: 10, claimSignature: new Uint8Array(300) });
    expect(reasonOf(contract)).toBe('ok');
    expect(reasonOf(contract, { chainClaims: 'refuse' })).toBe('unverifiable_claim');
    expect(reasonOf(verification({}), { chainClaims: 'refuse' })).toBe('ok');
  });
});

describe('a verified Solana address', () => {
  const secret = new Uint8Array(32).fill(5);
  const solana = ed25519.getPublicKey(secret);
  const claim = makeVerificationAddressClaim(FID, solana, FarcasterNetwork.MAINNET, blockHash, Protocol.SOLANA);
  const text = recreateSolanaClaimMessage(claim._unsafeUnwrap() as VerificationAddressClaimSolana, solana);
  const verification = (changes: Partial<VerificationAddAddressBody>, data: Partial<MessageData> = {}): MessageData =>
    bodyData(MessageType.VERIFICATION_ADD_ETH_ADDRESS, {
      verificationAddAddressBody: {
        address: solana,
        claimSignature: ed25519.sign(text, secret),
        blockHash,
        verificationType: 0,
        chainId: 0,
        protocol: Protocol.SOLANA,
        ...changes,
      },
      ...data,
    });

  it.each<[string, MessageData, string]>([
    ['holds', verification({}), 'ok'],
    ['fails for another fid', verification({}, { fid: 5 }), 'bad_claim'],
    ['fails for another address', verification({ address: PUBLIC_KEY }), 'bad_claim'],
    ['fails for a short signature', verification({ claimSignature: new Uint8Array(63) }), 'bad_claim'],
    ['fails for an Ethereum address', verification({ address }), 'bad_address'],
  ])('%s', (_name, data, reason) => {
    expect(reasonOf(data)).toBe(reason);
    expect(reasonOf(data, { backend: 'node:crypto' })).toBe(reason);
  });
});

describe('a username proof', () => {
  it('is accepted from a hub and rejected in an unchecked submission', () => {
    const proof = bodyData(MessageType.USERNAME_PROOF, {
      usernameProofBody: {
        timestamp: 1_700_000_000,
        name: Buffer.from('alice.eth'),
        owner: address,
        signature: new Uint8Array(65),
        fid: FID,
        type: UserNameType.USERNAME_TYPE_ENS_L1,
      },
    });
    expect(reasonOf(proof)).toBe('ok');
    expect(reasonOf(proof, { chainClaims: 'refuse' })).toBe('unverifiable_claim');
  });
});

describe('an added key', () => {
  const options = {
    fid: BigInt(FID),
    key: PUBLIC_KEY,
    scopes: [MessageType.CAST_ADD, MessageType.LEND_STORAGE],
    ttl: 86_400,
    nonce: 1,
    // In 2084: the package refuses to build what has expired by now.
    deadline: 2_000_000_000,
    requestFid: 9n,
  };
  const build = async (changes: Partial<typeof options> = {}): Promise<KeyAddBody> =>
    (await makeKeyAddBody({ ...options, ...changes }, owner, app))._unsafeUnwrap();
  const keyAdd = (keyAddBody: KeyAddBody, data: Partial<MessageData> = {}): MessageData =>
    bodyData(MessageType.KEY_ADD, { keyAddBody, ...data });

  it('holds, and names the custody address that allowed it', async () => {
    const body = await build();
    expect(reasonOf(keyAdd(body))).toBe('ok');
    expect(Buffer.from(recoverKeyAdd(FID, body) ?? [])).toEqual(Buffer.from(address));
    expect(Buffer.from(recoverKeyAdd(5, body) ?? [])).not.toEqual(Buffer.from(address));
  });

  it.each<[string, Partial<KeyAddBody>, string]>([
    ['a short key', { key: new Uint8Array(31) }, 'bad_key'],
    ['another key than the app asked for', { key: new Uint8Array(32) }, 'bad_claim'],
    ['an unknown type', { keyType: 2 }, 'bad_key'],
    ['no deadline', { deadline: 0 }, 'bad_key'],
    ['no lifetime', { ttl: 0 }, 'bad_key'],
    ['more than 90 days', { ttl: 7_776_001 }, 'bad_key'],
    ['other metadata', { metadataType: 2 }, 'bad_key'],
    ['no metadata', { metadata: new Uint8Array(0) }, 'bad_key'],
    ['garbled metadata', { metadata: new Uint8Array(40).fill(255) }, 'bad_key'],
    ['no scope', { scopes: [] }, 'bad_key'],
    ['the scope of keys', { scopes: [MessageType.CAST_ADD, MessageType.KEY_ADD] }, 'bad_key'],
    ['seventeen scopes', { scopes: new Array(17).fill(MessageType.CAST_ADD) }, 'bad_key'],
    ['no custody signature', { custodySignature: new Uint8Array(0) }, 'bad_claim'],
    ['a custody signature of zeros', { custodySignature: new Uint8Array(65) }, 'bad_claim'],
  ])('fails with %s', async (_name, changes, reason) => {
    expect(reasonOf(keyAdd({ ...(await build()), ...changes }))).toBe(reason);
  });

  it('fails once the request of the app has expired', async () => {
    const expired = keyAdd(await build(), { timestamp: options.deadline + 1 });
    expect(reasonOf(expired, { now: toUnixMs(options.deadline + 1) })).toBe('bad_key');
    expect(reasonOf({ ...expired, timestamp: options.deadline }, { now: toUnixMs(options.deadline) })).toBe('ok');
  });
});

describe('a removed key', () => {
  const options = { fid: BigInt(FID), key: PUBLIC_KEY, nonce: 2, deadline: NOW_SECONDS + 3600 };
  const remove = (keyRemoveBody: KeyRemoveBody): MessageData => bodyData(MessageType.KEY_REMOVE, { keyRemoveBody });

  it('holds by custody, and names the custody address', async () => {
    const body = (await makeKeyRemoveBody(options, owner))._unsafeUnwrap();
    expect(reasonOf(remove(body))).toBe('ok');
    expect(Buffer.from(recoverKeyRemove(FID, body) ?? [])).toEqual(Buffer.from(address));
    expect(reasonOf(remove({ ...body, signature: new Uint8Array(64) }))).toBe('bad_claim');
    expect(reasonOf(remove({ ...body, signatureType: 3 }))).toBe('bad_key');
    expect(reasonOf(remove({ ...body, deadline: 0 }))).toBe('bad_key');
  });

  it('holds by itself, when it signs the message', () => {
    const body = makeKeyRemoveBodySelfRevoke(options)._unsafeUnwrap();
    expect(reasonOf(remove(body))).toBe('ok');
    expect(reasonOf(remove({ ...body, key: new Uint8Array(32).fill(3) }))).toBe('bad_key');
  });
});
