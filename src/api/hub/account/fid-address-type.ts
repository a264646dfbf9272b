import type { Reader } from '../../../db/statement.js';
import { ED25519_KEY_BYTES } from '../../../protocol/limit.js';
import { selectAddressType } from '../../../store/hub/address-type.js';

/** What an address is to an account; several may be true. */
export interface FidAddressType {
  readonly isCustody: boolean;
  readonly isAuth: boolean;
  readonly isVerified: boolean;
}

/**
 * Hubs call an address an auth address for ever; here a removed one is none, because a program that asks means to let its holder
 * in. The key registry has auth addresses padded to 32 bytes, so hubs find them in that form only, and here both are found.
 * @param address 20 bytes, or 32 of a Solana address or of a padded one; all are false for other lengths
 * @returns what the address is to the account now
 * @source `get_fid_address_type` in snapchain's `server.rs`
 */
export const readFidAddressType = (read: Reader, fid: number, address: Uint8Array): Promise<FidAddressType> => {
  const authKey = new Uint8Array(Math.max(ED25519_KEY_BYTES, address.length));
  authKey.set(address, authKey.length - address.length);
  return selectAddressType(read, fid, address, authKey);
};
