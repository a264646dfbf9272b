import type { Address } from 'viem';
import type { Database } from '../../db/database.js';
import { invalidFields, type Problem } from '../../error.js';
import { verifiedContractChain } from '../../protocol/check/verified-contract.js';
import { type AccountAddressRow, selectRecipientAddresses } from '../../store/onchain/recipient.js';
import { hasRightCase } from '../checked-address.js';
import { type Network, PUBLIC_CHAINS } from '../network.js';

/** A recipient in a request, with exactly one of address and fid. */
export interface RequestedRecipient {
  readonly address?: string;
  readonly fid?: number;
  /** Default 1. */
  readonly quantity?: number;
}

export interface Recipient {
  /** Lower case; undefined if the account is unknown or has no address. */
  readonly address: Address | undefined;
  /** Undefined if the request names an address. */
  readonly fid: number | undefined;
  readonly quantity: number;
  /** Set if the address was verified as a contract wallet on the requested network. */
  readonly isContractWallet?: true;
}

interface PayableAddress {
  /** Hex without 0x. */
  readonly address: string;
  readonly isContractWallet?: true;
}

/**
 * Chooses the primary verified Ethereum address of an account, else its oldest verified one, else its custody address.
 * A contract wallet verified on another chain is skipped, because its address may belong to another owner on this one.
 * @param network the requested network, even if the local chain replaces it
 * @returns undefined if the account has no such address
 */
const payableAddress = ({ custody, verified }: AccountAddressRow, network: Network): PayableAddress | undefined => {
  for (const { address, data } of verified) {
    const chainId = verifiedContractChain(data);
    if (chainId === undefined) return { address };
    if (chainId === PUBLIC_CHAINS[network].id) return { address, isContractWallet: true };
  }
  return custody === null ? undefined : { address: custody };
};

/**
 * Resolves the addresses of recipients with one query for all fids.
 * @param property name of the list in the request, for errors
 * @throws AppError invalid with a problem for each address in mixed case whose checksum (ERC-55) is wrong
 */
export const resolveRecipients = async (
  db: Database,
  requested: readonly RequestedRecipient[],
  network: Network,
  property: string,
): Promise<Recipient[]> => {
  const [first, ...others] = requested.flatMap(({ address }, index): Problem[] => {
    if (address === undefined || hasRightCase(address)) return [];
    const path = [property, String(index), 'address'];
    const message = `${property}[${index}].address: the checksum of ${address} is wrong. Look it up again, or send it in lower case.`;
    return [{ code: 'InvalidField', expected: 'an address with the right checksum', received: address, path, message }];
  });
  if (first) throw invalidFields([first, ...others]);
  const fids = new Set(requested.flatMap(({ fid }) => (fid === undefined ? [] : [fid])));
  const found = await selectRecipientAddresses(db, [...fids]);
  const resolve = ({ address, fid }: RequestedRecipient): Pick<Recipient, 'address' | 'isContractWallet'> => {
    if (address !== undefined) return { address: address.toLowerCase() as Address };
    const account = fid === undefined ? undefined : found.get(fid);
    const payable = account && payableAddress(account, network);
    return payable ? { ...payable, address: `0x${payable.address}` } : { address: undefined };
  };
  return requested.map((one) => ({ ...resolve(one), fid: one.fid, quantity: one.quantity ?? 1 }));
};

/** @returns the message for a recipient without an address */
export const unresolved = ({ fid }: Recipient): string =>
  `No Ethereum address of the account ${fid} is known here: neither a verified one that it can use on this network nor its custody address.`;
