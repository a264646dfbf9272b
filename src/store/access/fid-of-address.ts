import { AddressRole } from '../protocol/verification.js';
import { readQuery } from '../query-function.js';
import { KeyType } from './signed-key-request.js';

/** @returns the key under which an address of 20 bytes is an auth address: 32 bytes, zeros before it. */
export const authAddressKey = (address: Uint8Array): Buffer => Buffer.concat([Buffer.alloc(12), address]);

/**
 * @returns the accounts that an address of 20 bytes may speak for: it has their custody, or is their auth address; an
 *   account for which it is both comes twice
 */
export const selectAccountsOfAddress = readQuery(
  'fid_of_address',
  `select fid as "fid!", true as "isCustody!" from address_owner where address = :address and role = ${AddressRole.custody}
    union all
   select fid, false from signer_key where key = :authKey and key_type = ${KeyType.authAddress} and active`,
).rows((address: Uint8Array) => ({ address, authKey: authAddressKey(address) }));
