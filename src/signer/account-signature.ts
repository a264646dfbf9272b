import type { Hex } from 'viem';
import { invalidField } from '../error.js';
import { fromHex, toHex } from '../hex.js';
import type { Networks } from '../onchain/network.js';

const SIGNATURE_BYTES = 65;
/** Half of the order of secp256k1: the contract rejects signatures with a greater s (EIP-2). */
const MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/**
 * @param text 0x and hex digits
 * @returns a 65-byte Ethereum signature in the form that the contract accepts, with s in the lower half and v 27 or 28;
 *   undefined for anything else
 */
const readSignature = (text: string): Uint8Array | undefined => {
  if (!/^0x[0-9a-fA-F]{130}$/.test(text)) return undefined;
  const bytes = new Uint8Array(fromHex(text));
  const last = bytes[SIGNATURE_BYTES - 1] as number;
  const v = last < 2 ? last + 27 : last;
  if (v !== 27 && v !== 28) return undefined;
  if (BigInt(`0x${text.slice(66, 130)}`) > MAX_S) return undefined;
  bytes[SIGNATURE_BYTES - 1] = v;
  return bytes;
};

/** Ends the signature of a contract wallet that is not deployed yet (ERC-6492), which the registry does not accept. */
const UNDEPLOYED = /(?:6492){16}$/;

/** A signature that a request contains, and what it must prove. */
export interface ClaimedSignature {
  /** The member of the request, for errors. */
  readonly property: string;
  /** As sent: 0x and hex digits. */
  readonly text: string;
  /** 20 bytes, of an account. */
  readonly address: Uint8Array;
  readonly hash: Hex;
  /** Continues "`property` is not ". */
  readonly meaning: string;
}

/**
 * @returns the bytes of the signature as the registry's contracts accept them: of the key of the address, or of the
 *   contract wallet at the address (ERC-1271), for which the validator of key requests calls it, too
 * @throws AppError 'invalid' with the property if it is neither; if OP Mainnet does not respond
 */
export const requireSignature = async (
  networks: Networks,
  { property, text, address, hash, meaning }: ClaimedSignature,
): Promise<Uint8Array> => {
  if (!/^0x(?:[0-9a-fA-F]{2})+$/.test(text) || text.length < 2 + 2 * SIGNATURE_BYTES) {
    throw invalidField(
      property,
      `${property} must be an Ethereum signature: 0x and 130 hex digits, s in the lower half`,
    );
  }
  const { isSignedByAddress, isSignedByKey, variablesOf, WALLET_NETWORKS } = await import(
    '../onchain/address-signature.js'
  );
  const of = { address: toHex(address), hash };
  const ofKey = readSignature(text);
  if (ofKey && (await isSignedByKey({ ...of, signature: toHex(ofKey) }))) return ofKey;
  const isHighOfKey = ofKey === undefined && (await isSignedByKey({ ...of, signature: text as Hex }));
  if (isHighOfKey) {
    throw invalidField(property, `${property} must have v 27 or 28 and s in the lower half, as the registry requires`);
  }
  const among = WALLET_NETWORKS.custody;
  const isSigned =
    !UNDEPLOYED.test(text) && (await isSignedByAddress(networks, among, { ...of, signature: text as Hex }));
  if (isSigned) return fromHex(text);
  const hint =
    isSigned === undefined
      ? `; whether a contract wallet made it can be asked when the operator sets ${variablesOf(among)}`
      : '';
  throw invalidField(property, `${property} is not ${meaning}${hint}`);
};
