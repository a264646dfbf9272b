import { createRequire } from 'node:module';
import type { TypedDataDefinition } from 'viem';
import { toHex } from '../hex.js';
import { ETH_SIGNATURE_BYTES } from './limit.js';
import type { KeyAddBody, KeyRemoveBody, VerificationAddBody } from './wire/body.js';

type Viem = typeof import('viem/utils');
type Curve = typeof import('@noble/curves/secp256k1');

const require = createRequire(import.meta.url);
let loaded: { viem: Viem; secp256k1: Curve['secp256k1'] } | undefined;

/** viem takes longer to load than a verification worker to start, and few messages contain an Ethereum claim. */
const ethereum = (): { viem: Viem; secp256k1: Curve['secp256k1'] } => {
  loaded ??= {
    viem: require('viem/utils') as Viem,
    secp256k1: (require('@noble/curves/secp256k1') as Curve).secp256k1,
  };
  return loaded;
};

/** @returns whether `value`, 0x and 40 hex digits, has the checksum of EIP-55 */
export const isChecksumAddress = (value: string): boolean => {
  if (!/^0x[0-9a-fA-F]{40}$/.test(value)) return false;
  return ethereum().viem.getAddress(value) === value;
};

/**
 * @param value 0x and 40 hex digits
 * @returns the address with the checksum of EIP-55
 */
export const checksumAddress = (value: string): string => ethereum().viem.getAddress(value.toLowerCase());

/** @returns the members of a struct from the text inside the brackets of its EIP-712 type (`encodeType`) */
const members = (text: string) =>
  text.split(',').map((member) => {
    const [type = '', name = ''] = member.split(' ');
    return { name, type };
  });

/** The claim of an address that an EIP-712 signature covers (@farcaster/core verifications.ts). */
export interface AddressClaim {
  readonly fid: number;
  readonly network: number;
  readonly body: VerificationAddBody;
}

const addressClaim = ({ fid, network, body }: AddressClaim, chainId?: number): TypedDataDefinition => ({
  domain: {
    name: 'Farcaster Verify Ethereum Address',
    version: '2.0.0',
    salt: '0xf2d857f4a3edcb9b78b4d503bfe733db1e3f6cdc2b7971ee739626c97e86a558',
    ...(chainId === undefined ? {} : { chainId }),
  },
  types: { VerificationClaim: members('uint256 fid,address address,bytes32 blockHash,uint8 network') },
  primaryType: 'VerificationClaim',
  message: { fid: BigInt(fid), address: toHex(body.address), blockHash: toHex(body.blockHash), network },
});

/** @returns the 20-byte address that signed a claim to own an Ethereum address; undefined for an invalid signature */
export const recoverAddressClaim = (claim: AddressClaim): Uint8Array | undefined =>
  recover(claim.body.claimSignature, addressClaim(claim));

/**
 * @returns the 32 bytes that a contract wallet signs to claim its address: its chain is part of them
 * @source snapchain 0.14.2, `validate_verification_contract_signature` (`core/validations/verification.rs`)
 */
export const hashContractClaim = (claim: AddressClaim): `0x${string}` =>
  ethereum().viem.hashTypedData(addressClaim(claim, claim.body.chainId));

/** The signed part of a username proof. */
export interface NameClaim {
  readonly name: Uint8Array;
  readonly owner: Uint8Array;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly signature: Uint8Array;
}

/** @returns the 20-byte address that signed a proof of a username (@farcaster/core eip712.ts, UserNameProof) */
export const recoverNameClaim = ({ name, owner, timestamp, signature }: NameClaim): Uint8Array | undefined =>
  recover(signature, {
    domain: {
      name: 'Farcaster name verification',
      version: '1',
      chainId: 1,
      verifyingContract: '0xe3be01d99baa8db9905b33a3ca391238234b79d1',
    },
    types: { UserNameProof: members('string name,uint256 timestamp,address owner') },
    primaryType: 'UserNameProof',
    message: { name: Buffer.from(name).toString('utf8'), timestamp: BigInt(timestamp), owner: toHex(owner) },
  });

/** Keys are added and removed off chain, but wallets require a chain id (snapchain src/core/validations/key.rs). */
const KEY_DOMAIN = { name: 'Farcaster KeyAdd', version: '1', chainId: 1 } as const;

/** @returns the 20-byte address that signed a key add; genuine if it is the custody address of `fid` */
export const recoverKeyAdd = (fid: number, body: KeyAddBody): Uint8Array | undefined =>
  recover(body.custodySignature, {
    domain: KEY_DOMAIN,
    types: {
      KeyAdd: members('uint256 fid,bytes key,uint32 keyType,uint32[] scopes,uint32 ttl,uint32 nonce,uint256 deadline'),
    },
    primaryType: 'KeyAdd',
    message: {
      fid: BigInt(fid),
      key: toHex(body.key),
      keyType: body.keyType,
      scopes: body.scopes,
      ttl: body.ttl,
      nonce: body.nonce,
      deadline: BigInt(body.deadline),
    },
  });

/** @returns the 20-byte address that signed a key removal; genuine if it is the custody address of `fid` */
export const recoverKeyRemove = (fid: number, body: KeyRemoveBody): Uint8Array | undefined =>
  recover(body.signature, {
    domain: KEY_DOMAIN,
    types: { KeyRemove: members('uint256 fid,bytes key,uint32 nonce,uint256 deadline') },
    primaryType: 'KeyRemove',
    message: { fid: BigInt(fid), key: toHex(body.key), nonce: body.nonce, deadline: BigInt(body.deadline) },
  });

/** ABI type of a key's metadata for the signed key request validator (Farcaster contracts). */
export const SIGNED_KEY_REQUEST = [
  {
    type: 'tuple',
    components: [
      { name: 'requestFid', type: 'uint256' },
      { name: 'requestSigner', type: 'address' },
      { name: 'signature', type: 'bytes' },
      { name: 'deadline', type: 'uint256' },
    ],
  },
] as const;

/** Decodes the metadata of a key without verifying its signature. */
const decodeKeyMetadata = (metadata: Uint8Array) => {
  try {
    return ethereum().viem.decodeAbiParameters(SIGNED_KEY_REQUEST, metadata)[0];
  } catch {
    return undefined;
  }
};

/** @returns the fid of the app that requested a key, or null for metadata of another form */
export const requestFidOf = (metadata: Uint8Array): number | null => {
  const fid = Number(decodeKeyMetadata(metadata)?.requestFid);
  return Number.isSafeInteger(fid) && fid > 0 ? fid : null;
};

/** The request in the metadata of a key add. */
export interface SignedKeyRequest {
  readonly requestFid: bigint;
  /** Claimed address of the requesting app, 20 bytes. */
  readonly requestSigner: Uint8Array;
  /** Protocol seconds after which the request is invalid. */
  readonly deadline: bigint;
  /** Address that signed, 20 bytes; the request is genuine if it equals `requestSigner`. */
  readonly recovered: Uint8Array | undefined;
}

/** @returns the request in the ABI-encoded metadata of a key add; undefined for metadata of another form */
export const readSignedKeyRequest = (body: KeyAddBody): SignedKeyRequest | undefined => {
  const { viem } = ethereum();
  const request = decodeKeyMetadata(body.metadata);
  if (!request) return undefined;
  const { requestFid, deadline } = request;
  const recovered = recover(viem.hexToBytes(request.signature), {
    domain: KEY_DOMAIN,
    types: { SignedKeyRequest: members('uint256 requestFid,bytes key,uint256 deadline') },
    primaryType: 'SignedKeyRequest',
    message: { requestFid, key: toHex(body.key), deadline },
  });
  return { requestFid, requestSigner: viem.hexToBytes(request.requestSigner), deadline, recovered };
};

/** As in snapchain, a recovery byte of 0 or 27 means an even y, any other an odd one, and a high s is accepted. */
const recover = (signature: Uint8Array, typedData: TypedDataDefinition): Uint8Array | undefined => {
  if (signature.length !== ETH_SIGNATURE_BYTES) return undefined;
  const { viem, secp256k1 } = ethereum();
  const hash = viem.hashTypedData(typedData).slice(2);
  const last = signature[ETH_SIGNATURE_BYTES - 1];
  const recoveryBit = last === 0 || last === 27 ? 0 : 1;
  try {
    const point = secp256k1.Signature.fromCompact(signature.slice(0, ETH_SIGNATURE_BYTES - 1))
      .addRecoveryBit(recoveryBit)
      .recoverPublicKey(hash);
    return viem.keccak256(point.toRawBytes(false).subarray(1), 'bytes').subarray(-20);
  } catch {
    // The signature is invalid: no point of the curve has this r, or r or s is out of range.
    return undefined;
  }
};
