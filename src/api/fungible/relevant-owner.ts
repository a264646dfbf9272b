import type { Address } from 'viem';
import { AppError } from '../../error.js';
import { hydrateUsers } from '../../hydrate/page.js';
import type { Network } from '../../onchain/network.js';
import { readOwners } from '../../onchain/token/owner.js';
import type { RelevantFungibleOwnersResponse } from '../../schema/onchain/fungible-owner.js';
import { selectPossibleOwners } from '../../store/query/token-owner.js';
import type { Audience } from '../../store/visibility.js';
import { withTimeout } from '../../timeout.js';
import { viewRelevantOwners } from '../../view/token-owner.js';
import type { Services } from '../http/service.js';

/** Networks of the operations; unlike in others, robinhood is not supported. */
export const OWNER_NETWORKS = ['ethereum', 'optimism', 'base', 'arbitrum'] as const;

/** Number of owners that are shown in full. */
const TOP = 10;
/** Owners of a token in a response, which has no pages. */
const OWNERS = 1000;
/** Addresses of an account that are read: its custody address and the newest verified ones. */
const ADDRESSES = 10;

interface OwnerQuery {
  readonly network: Network;
  /** Distinct, in lower case. */
  readonly tokens: readonly Address[];
  readonly audience: Audience;
  /** Maximum of accounts whose balances are read. */
  readonly accounts: number;
}

/**
 * Reads the owners of tokens among the accounts that the viewer follows, or among those with the highest scores.
 * @returns by token; a token is missing if its address is none
 * @throws AppError internal with code `ChainUnavailable` if the chain does not respond in time
 */
export const relevantOwners = async (
  { db, networks, reads, responseTimeouts }: Pick<Services, 'db' | 'networks' | 'reads' | 'responseTimeouts'>,
  { network, tokens, audience, accounts }: OwnerQuery,
): Promise<Map<Address, RelevantFungibleOwnersResponse>> => {
  const possible = await selectPossibleOwners(db, audience, accounts);
  const reading = readOwners(
    networks.client(network),
    tokens,
    possible.map(({ fid, addresses: [first, ...others] }) => ({
      fid,
      addresses: [first, ...others.slice(1 - ADDRESSES)].flatMap((hex): Address[] =>
        hex === undefined ? [] : [`0x${hex}`],
      ),
    })),
  );
  const owners = await withTimeout(reading, responseTimeouts.owners, () => {
    const message = `${network} did not return the balances in time. Try again shortly.`;
    return new AppError('internal', 'ChainUnavailable', message);
  });
  const shown = owners.map((fids) => fids?.slice(0, OWNERS));
  const top = [...new Set(shown.flatMap((fids = []) => fids.slice(0, TOP)))];
  const page = await hydrateUsers(reads.forDialect('neutral').open(), top, {
    viewer: audience.viewer ?? undefined,
    listed: top,
    dehydrated: shown.flatMap((fids = []) => fids),
  });
  return new Map(
    tokens.flatMap((token, index) => {
      const fids = shown[index];
      return fids ? [[token, viewRelevantOwners(fids.slice(0, TOP), fids, page)]] : [];
    }),
  );
};
