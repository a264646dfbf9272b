import { keccak256 } from 'viem/utils';
import { fromHex, toHex } from '../../hex.js';

/** @param key of a channel, as it was registered. @returns its 32-byte id, which is also the id of its token */
export const channelIdOf = (key: string): Buffer => fromHex(keccak256(Buffer.from(key, 'utf8')));

/**
 * @param registrar `eip155:<chain>/erc721:<address>`, the address in the spelling of EIP-55
 * @returns the channel's URL (CAIP-19): casts name it as their parent, and a like of it is a follow of the channel
 */
export const channelUrl = (registrar: string, id: Uint8Array): string => `${registrar}/${BigInt(toHex(id))}`;

/** A decimal number without leading zeros, of at most the 78 digits of 2^256. */
const TOKEN_ID = /^(?:0|[1-9]\d{0,77})$/;

/** @returns the 32-byte id of the channel whose URL this is, letter for letter; undefined for any other text */
export const channelIdOfUrl = (registrar: string, url: string): Buffer | undefined => {
  if (!url.startsWith(`${registrar}/`)) return undefined;
  const token = url.slice(registrar.length + 1);
  if (!TOKEN_ID.test(token)) return undefined;
  const id = BigInt(token);
  return id >> 256n === 0n ? Buffer.from(id.toString(16).padStart(64, '0'), 'hex') : undefined;
};
