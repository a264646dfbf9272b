import { type Network, PUBLIC_CHAINS } from '../../onchain/network.js';
import type { ListedContract, ListedSubscription } from '../../onchain/stp/service.js';
import type { StpContract, StpTier } from '../../onchain/stp/state.js';
import { NATIVE_DECIMALS, nativeCoin } from '../../onchain/token/native-coin.js';
import type { Subscription, SubscriptionTier } from '../../schema/onchain/stp.js';

export const PROVIDER = 'stp';

/** 9999-12-31T23:59:59Z, the last time that ISO-8601 can write: contracts may grant more. */
const LAST_SECOND = 253_402_300_799n;

/** @returns Unix milliseconds of Unix seconds */
export const expiryMs = (seconds: bigint): number => Number(seconds < LAST_SECOND ? seconds : LAST_SECOND) * 1000;

const viewPrice = ({ price }: StpTier): Subscription['price'] => ({
  period_duration_seconds: price.periodSeconds,
  tokens_per_period: price.tokensPerPeriod.toString(),
  initial_mint_price: price.initialMintPrice.toString(),
});

export const viewTier = (tier: StpTier): SubscriptionTier => ({ id: tier.id, price: viewPrice(tier) });

const viewToken = (network: Network, { currency, token }: StpContract): Subscription['token'] | undefined => {
  if (currency === undefined) {
    return { symbol: nativeCoin(network).symbol, address: null, decimals: NATIVE_DECIMALS, erc20: false };
  }
  return token && { symbol: token.symbol, address: currency, decimals: token.decimals, erc20: true };
};

/** The public chain id, also if the local chain is the network. */
export const viewChain = (network: Network): number => PUBLIC_CHAINS[network].id;

/**
 * @param tier whose price is shown; the first one if absent
 * @returns undefined for a contract without a price, or with a currency that is no ERC-20 token
 */
export const viewSubscription = (
  { network, row, address, owner, contract }: ListedContract,
  tier = contract.tiers[0],
): Subscription | undefined => {
  const token = viewToken(network, contract);
  if (token === undefined || tier === undefined) return undefined;
  return {
    object: 'subscription',
    provider_name: PROVIDER,
    contract_address: address,
    chain: viewChain(network),
    metadata: { title: row.name, symbol: row.symbol, art_url: row.artUrl ?? '' },
    owner_address: owner,
    price: viewPrice(tier),
    tiers: contract.tiers.map(viewTier),
    protocol_version: contract.version,
    token,
  };
};

/** @returns ISO-8601 times of a subscription */
export const viewTimes = ({ subscription, row }: ListedSubscription) => ({
  expires_at: new Date(expiryMs(subscription.expiresAt)).toISOString(),
  subscribed_at: row.mintedAt.toISOString(),
});
