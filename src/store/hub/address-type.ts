import { readQuery } from '../query-function.js';

/**
 * @param authKey the address as a key: padded to 32 bytes on the left
 * @returns what an address is to an account now
 */
export const selectAddressType = readQuery(
  'hub_address_type',
  `select exists (select from account where fid = :fid and custody_address = :address) as "isCustody!",
          exists (select from signer_key where fid = :fid and key = :authKey and key_type = 2 and active) as "isAuth!",
          exists (select from verification where fid = :fid and protocol in (0, 1) and address = :address) as "isVerified!"`,
).one((fid: number, address: Uint8Array, authKey: Uint8Array) => ({ fid, address, authKey }));
