import { hexToBytes } from 'viem';
import { invalidFields, type Problem } from '../../error.js';
import { toHex } from '../../hex.js';
import { selectOpenX402Nonces, type WalletAsset } from '../../store/onchain/x402-authorization.js';
import type { UsableWallet } from '../transaction/wallet.js';
import type { AssetLookup, DomainName, PayableAsset } from './asset.js';
import { type AssetState, publicClient, readAssetState } from './asset-state.js';
import type { X402Dependencies } from './dependencies.js';
import { chooseDomain } from './domain.js';
import { MAX_TIMEOUT_SECONDS, type Offer, type PaymentRequirement, readOffer } from './requirement.js';

/** A payment that could be signed, as far as the sums of the wallet allow it. */
export interface Candidate {
  readonly offer: Offer;
  readonly domain: DomainName;
  /** Undefined if no endpoint of the public network is configured. */
  readonly state: AssetState | undefined;
}

/** How many open authorizations are compared with the chain, in one call; the others count as not collected yet. */
const MAX_OPEN_READ = 500;

const isFault = <Value extends object>(value: Value | Problem): value is Problem => 'path' in value;

const keyOf = ({ network, address }: PayableAsset): string => `${network} ${address}`;

export const walletAssetOf = (
  { id: walletId }: Pick<UsableWallet, 'id'>,
  { network, address }: PayableAsset,
): WalletAsset => ({ walletId, network, asset: hexToBytes(address) });

type Dependencies = Pick<X402Dependencies, 'db' | 'networks' | 'clock'>;

/** @returns the states of those tokens whose public network has an endpoint */
const readStates = async (
  { db, networks, clock }: Dependencies,
  wallet: UsableWallet,
  assets: Iterable<PayableAsset>,
): Promise<ReadonlyMap<string, AssetState>> => {
  const now = clock();
  const window = {
    now: Math.floor(now / 1000),
    since: new Date(now - MAX_TIMEOUT_SECONDS * 1000),
    limit: MAX_OPEN_READ,
  };
  const states = new Map<string, AssetState>();
  for (const asset of assets) {
    const client = publicClient(networks, asset.network);
    if (!client) continue;
    const nonces = await selectOpenX402Nonces(db, walletAssetOf(wallet, asset), window);
    states.set(keyOf(asset), await readAssetState(client, asset, wallet.address, nonces.map(toHex)));
  }
  return states;
};

/**
 * @returns the requirements that could be signed for, in the order of the request
 * @throws AppError invalid if there is none, naming what is wrong with each; internal if a network does not respond
 */
export const findCandidates = async (
  deps: Dependencies,
  {
    wallet,
    requirements,
    assetOf,
  }: {
    readonly wallet: UsableWallet;
    readonly requirements: readonly PaymentRequirement[];
    readonly assetOf: AssetLookup;
  },
): Promise<readonly Candidate[]> => {
  const offers = requirements.map((one, index) => readOffer(one, index, { assetOf, wallet: wallet.address }));
  const assets = new Map<string, PayableAsset>();
  for (const one of offers) if (!isFault(one)) assets.set(keyOf(one.asset), one.asset);
  const states = await readStates(deps, wallet, assets.values());
  const judged = offers.map((offer): Candidate | Problem => {
    if (isFault(offer)) return offer;
    const state = states.get(keyOf(offer.asset));
    const domain = chooseDomain(offer, state?.domain);
    return isFault(domain) ? domain : { offer, domain, state };
  });
  const candidates = judged.filter((one): one is Candidate => !isFault(one));
  if (candidates.length === 0) throw invalidFields(judged.filter(isFault) as [Problem, ...Problem[]]);
  return candidates;
};
