import type { Address } from 'viem';
import { invalidFields, type Problem } from '../../error.js';
import { verifiedContractChain } from '../../protocol/check/verified-contract.js';
import type { Database } from '../../store/database.js';
import { type AccountAddressRow, selectRecipientAddresses } from '../../store/onchain/recipient.js';
import { hasRightCase } from '../checked-address.js';
import { type Network, PUBLIC_CHAINS } from '../network.js';

/** Who is to get tokens, as a caller says it: exactly one of address and fid. */
export interface AskedRecipient {
  readonly address?: string;
  readonly fid?: number;
  /** 1 when absent. */
  readonly quantity?: number;
}

export interface Recipient {
  /** Lower case; undefined: the account is not known here, or has no address. */
  readonly address: Address | undefined;
  /** The account that was named; undefined: an address was. */
  readonly fid: number | undefined;
  readonly quantity: number;
}

/**
 * An account takes tokens at its primary verified Ethereum address, else at the oldest verified one, else at its custody
 * address. A contract that was verified for another chain is passed over: on this one its address may be nobody's.
 *
 * @param network in whose name the tokens are sent; the local chain of development stands in for it
 * @returns hex without 0x; null when no address is known
 */
const payableAddress = ({ custody, verified }: AccountAddressRow, network: Network): string | null => {
  const isPayable = (data: Uint8Array): boolean => {
    const chainId = verifiedContractChain(data);
    return chainId === undefined || chainId === PUBLIC_CHAINS[network].id;
  };
  return verified.find(({ data }) => isPayable(data))?.address ?? custody;
};

/**
 * Finds the addresses of recipients on a network, with one query for all that are named by fid.
 *
 * @param property what the list is called in the request
 * @throws AppError invalid with a problem for each address in mixed case whose checksum (ERC-55) is wrong
 */
export const resolveRecipients = async (
  db: Database,
  asked: readonly AskedRecipient[],
  network: Network,
  property: string,
): Promise<Recipient[]> => {
  const [first, ...others] = asked.flatMap(({ address }, index): Problem[] => {
    if (address === undefined || hasRightCase(address)) return [];
    const path = [property, String(index), 'address'];
    const message = `${property}[${index}].address: the checksum of ${address} is wrong. Look it up again, or send it in lower case.`;
    return [{ code: 'InvalidField', expected: 'an address with the right checksum', received: address, path, message }];
  });
  if (first) throw invalidFields([first, ...others]);
  const fids = new Set(asked.flatMap(({ fid }) => (fid === undefined ? [] : [fid])));
  const found = await selectRecipientAddresses(db, [...fids]);
  const addressOf = ({ address, fid }: AskedRecipient): Address | undefined => {
    if (address !== undefined) return address.toLowerCase() as Address;
    const account = fid === undefined ? undefined : found.get(fid);
    const hex = account ? payableAddress(account, network) : null;
    return hex === null ? undefined : `0x${hex}`;
  };
  return asked.map((one) => ({ address: addressOf(one), fid: one.fid, quantity: one.quantity ?? 1 }));
};

/** @returns why a recipient cannot get anything, for the caller. */
export const unresolved = ({ fid }: Recipient): string =>
  `No Ethereum address of the account ${fid} is known here: neither a verified one that it can use on this network nor its custody address.`;
