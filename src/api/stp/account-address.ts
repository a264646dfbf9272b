import type { Address } from 'viem';
import { fromHex } from '../../hex.js';
import { selectRecipientAddresses } from '../../store/onchain/recipient.js';
import { AddressRole } from '../../store/protocol/verification.js';
import { selectAddressOwners } from '../../store/query/account.js';
import type { Services } from '../http/service.js';

/** @returns the custody address and the verified Ethereum addresses of an account, in lower case; empty if unknown */
export const addressesOf = async ({ db }: Pick<Services, 'db'>, fid: number): Promise<Address[]> => {
  const found = (await selectRecipientAddresses(db, [fid])).get(fid);
  const verified = found?.verified.map(({ address }) => address) ?? [];
  const all = found?.custody ? [found.custody, ...verified] : verified;
  return [...new Set(all)].map((hex): Address => `0x${hex}`);
};

/**
 * @param addresses lower case
 * @returns the account of each address: by custody, or of several that verified it the first
 */
export const accountsOf = async (
  { db }: Pick<Services, 'db'>,
  addresses: readonly Address[],
): Promise<Map<Address, number>> => {
  const distinct = [...new Set(addresses)];
  const roles = [AddressRole.custody, AddressRole.verified];
  const owners = await selectAddressOwners(
    db,
    distinct.map((address) => fromHex(address)),
    roles,
  );
  const accounts = new Map<Address, number>();
  for (const { address, fid } of owners) {
    const key: Address = `0x${address}`;
    if (!accounts.has(key)) accounts.set(key, fid);
  }
  return accounts;
};
