import { type Session, statement } from '../../db/statement.js';
import { AddressRole } from '../protocol/verification.js';
import { KeyType } from './signed-key-request.js';

const fidsOfAddress = statement<{ fid: number }>(
  'fid_of_address',
  `select fid from address_owner where address = $1 and role = ${AddressRole.custody}
    union
   select fid from signer_key where key = $2 and key_type = ${KeyType.authAddress} and active`,
);

/** @returns the key under which an address of 20 bytes is an auth address: 32 bytes, zeros before it. */
export const authAddressKey = (address: Uint8Array): Buffer => Buffer.concat([Buffer.alloc(12), address]);

/** @returns the accounts that an address of 20 bytes may speak for: it has their custody, or is their auth address. */
export const selectFidsOfAddress = async (session: Session, address: Uint8Array): Promise<number[]> =>
  (await session.read(fidsOfAddress, [address, authAddressKey(address)])).map(({ fid }) => fid);
