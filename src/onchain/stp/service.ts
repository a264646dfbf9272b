import type { Address } from 'viem';
import { AppError, invalidField } from '../../error.js';
import type { StpChain } from '../../store/stp/chain.js';
import {
  type StpContractRow,
  type StpTokenRow,
  selectStpContractsOf,
  selectStpMints,
  selectStpTokensIn,
  selectStpTokensOf,
} from '../../store/stp/list.js';
import { selectUnreachedStpNetworks } from '../../store/stp/search.js';
import { withTimeout } from '../../timeout.js';
import type { Network, NetworkDependencies } from '../network.js';
import { factoriesOn, type PlacedFactory, type StpFactory } from './factory.js';
import { readStpState, type StpContract, type StpState, type StpSubscription, type StpTier } from './state.js';

/** Contracts and subscriptions in one answer, which has no pages: the latest ones. */
const MAX_CONTRACTS = 100;
const MAX_SUBSCRIPTIONS = 100;
/** Tokens of all contracts of an owner whose subscriptions are read, the latest ones. */
const MAX_SUBSCRIBERS = 1000;
/** How long ago the index may have reached the newest block; rounds are half a minute apart. */
const MAX_LAG_MS = 10 * 60 * 1000;
/** Within the ten seconds of a request. */
const TIMEOUT_MS = 7000;

/** A contract with what it reports now. */
export interface ListedContract {
  readonly network: Network;
  readonly row: StpContractRow;
  /** Lower case, as are the others. */
  readonly address: Address;
  readonly owner: Address;
  readonly contract: StpContract;
}

/** A subscription with its contract. */
export interface ListedSubscription extends ListedContract {
  readonly row: StpTokenRow;
  readonly account: Address;
  readonly subscription: StpSubscription;
}

export interface StpList<Item> {
  readonly items: readonly Item[];
  /** Networks that did not respond, or whose events are not searched to the newest block. */
  readonly partial: readonly Network[];
}

/** The subscription of an account to one contract. */
export interface CheckedSubscription {
  /** Unix seconds. */
  readonly expiresAt: bigint;
  /** When the token was minted; undefined: the token is not in the index. */
  readonly mintedAt: Date | undefined;
  /** Undefined if the contract does not report it. */
  readonly tier: StpTier | undefined;
}

export interface StpParts extends NetworkDependencies {
  /** Factories of the configuration. */
  readonly factories: readonly StpFactory[];
}

const unavailable = (network: string): AppError =>
  new AppError('internal', 'ChainUnavailable', `${network} does not answer at the moment. Try again shortly.`);

const addressOf = (hex: string): Address => `0x${hex}`;

const hexOf = (address: Address): string => address.slice(2);

/** Rows of one network with their state. */
interface NetworkState<Row> {
  readonly network: Network;
  readonly rows: readonly Row[];
  /** Undefined: the network did not respond. */
  readonly state: StpState | undefined;
}

/** Answers questions about subscription tokens: the index says which there are, the chain what they are now. */
export const createStp = ({ db, networks, factories: more, clock, failed }: StpParts) => {
  const factories: readonly PlacedFactory[] = factoriesOn(networks, more);
  const chains: readonly StpChain[] = [
    ...new Map(factories.map(({ network, chainId }) => [network, { network, chainId }])).values(),
  ];

  /** @throws AppError invalid with `property` if no network with a factory is configured */
  const requireChains = (property: string): void => {
    if (chains.length > 0) return;
    const message = `${property}: no network with subscription contracts is configured here. The operator has to set CASTELLAN_RPC_BASE, CASTELLAN_RPC_OPTIMISM or CASTELLAN_RPC_ETHEREUM to the address of an endpoint.`;
    throw invalidField(property, message);
  };

  /** Reads the contracts of rows, and the subscriptions that `accountOf` names. */
  const readStates = async <Row extends StpContractRow>(
    rows: readonly Row[],
    accountOf: (row: Row) => string | undefined,
    withTiers: boolean,
  ): Promise<NetworkState<Row>[]> => {
    const present = chains.filter(({ network }) => rows.some((row) => row.network === network));
    return Promise.all(
      present.map(async ({ network: name }) => {
        const network = name as Network;
        const mine = rows.filter((row) => row.network === name);
        const contracts = [...new Set(mine.map(({ contract }) => addressOf(contract)))];
        const accounts = mine.flatMap((row) => {
          const account = accountOf(row);
          return account === undefined ? [] : [{ contract: addressOf(row.contract), account: addressOf(account) }];
        });
        const work = readStpState(networks.client(network), contracts, accounts, { withTiers });
        const state = await withTimeout(work, TIMEOUT_MS).catch((error: unknown) => {
          failed(network, error);
          return undefined;
        });
        return { network, rows: mine, state };
      }),
    );
  };

  /** @throws AppError internal with code `ChainUnavailable` if none of the networks responds */
  const partialOf = async (states: readonly NetworkState<unknown>[]): Promise<Network[]> => {
    const away = states.filter(({ state }) => state === undefined).map(({ network }) => network);
    if (away.length > 0 && away.length === states.length) throw unavailable(away.join(', '));
    const keys = factories.map(({ network, chainId, address }) => ({ network, chainId, address: hexOf(address) }));
    const unreached = await selectUnreachedStpNetworks(db, keys, new Date(clock() - MAX_LAG_MS));
    const missing = new Set<string>([...away, ...unreached]);
    return networks.configured.filter((network) => missing.has(network));
  };

  const contractsIn = <Row extends StpContractRow>({ network, rows, state }: NetworkState<Row>) =>
    rows.flatMap((row) => {
      const address = addressOf(row.contract);
      const contract = state?.contracts.get(address);
      return contract?.owner === undefined ? [] : [{ network, row, address, owner: contract.owner, contract }];
    });

  const subscriptionsIn = (one: NetworkState<StpTokenRow>): ListedSubscription[] => {
    const found = new Map(one.rows.map((row, index) => [row, one.state?.subscriptions[index]]));
    return contractsIn(one).flatMap((item) => {
      const subscription = found.get(item.row);
      // The token may have moved since its events were searched.
      if (subscription === undefined || subscription.tokenId !== BigInt(item.row.tokenId)) return [];
      return [{ ...item, account: addressOf(item.row.account), subscription }];
    });
  };

  const byMintTime = (a: ListedSubscription, b: ListedSubscription): number =>
    b.row.mintedAt.getTime() - a.row.mintedAt.getTime();

  return {
    factories,

    /**
     * @param contract lower case, as are the accounts
     * @returns the accounts that are subscribed now
     * @throws AppError invalid with property `contract_address` if no subscription contract is there; internal with code
     *   `ChainUnavailable` if the chain does not respond
     */
    check: async (
      network: Network,
      contract: Address,
      accounts: readonly Address[],
    ): Promise<ReadonlyMap<Address, CheckedSubscription>> => {
      const questions = accounts.map((account) => ({ contract, account }));
      const work = readStpState(networks.client(network), [contract], questions, { withTiers: false });
      const state = await withTimeout(work, TIMEOUT_MS, () => unavailable(network));
      const found = state.contracts.get(contract);
      if (found === undefined) {
        const message = `contract_address: no subscription contract (STP) is at ${contract} on ${network}`;
        throw invalidField('contract_address', message);
      }
      const chain = { network, chainId: networks.chainId(network) };
      const mints = await selectStpMints(db, chain, hexOf(contract), accounts.map(hexOf));
      const mintTimes = new Map(mints.map((mint) => [`${mint.account} ${mint.tokenId}`, mint.mintedAt]));
      const active = accounts.flatMap((account, index) => {
        const subscription = state.subscriptions[index];
        if (subscription === undefined || subscription.expiresAt <= state.now) return [];
        const { tierId, tokenId, expiresAt } = subscription;
        const tier = found.tiers.find(({ id }) => id === tierId);
        return [[account, { expiresAt, tier, mintedAt: mintTimes.get(`${hexOf(account)} ${tokenId}`) }] as const];
      });
      return new Map(active);
    },

    /**
     * @param accounts lower case
     * @returns subscriptions that accounts have or had, the latest ones first
     */
    subscriptionsOf: async (property: string, accounts: readonly Address[]): Promise<StpList<ListedSubscription>> => {
      requireChains(property);
      const rows = await selectStpTokensOf(db, chains, accounts.map(hexOf), MAX_SUBSCRIPTIONS);
      const states = await readStates(rows, ({ account }) => account, true);
      return { items: states.flatMap(subscriptionsIn).sort(byMintTime), partial: await partialOf(states) };
    },

    /** @returns contracts that belong to accounts now, the latest ones first on each network */
    contractsOf: async (property: string, accounts: readonly Address[]): Promise<StpList<ListedContract>> => {
      requireChains(property);
      const rows = await selectStpContractsOf(db, chains, accounts.map(hexOf), MAX_CONTRACTS);
      const states = await readStates(rows, () => undefined, true);
      const owners = new Set(accounts);
      const items = states.flatMap(contractsIn).filter(({ owner }) => owners.has(owner));
      return { items, partial: await partialOf(states) };
    },

    /** @returns active subscriptions to contracts that belong to accounts now, the latest ones first */
    subscribersOf: async (property: string, accounts: readonly Address[]): Promise<StpList<ListedSubscription>> => {
      requireChains(property);
      const contracts = await selectStpContractsOf(db, chains, accounts.map(hexOf), MAX_CONTRACTS);
      const rows = contracts.length === 0 ? [] : await selectStpTokensIn(db, contracts, MAX_SUBSCRIBERS);
      const states = await readStates(rows, ({ account }) => account, false);
      const owners = new Set(accounts);
      const items = states.flatMap((one) =>
        subscriptionsIn(one).filter(
          ({ owner, subscription }) => owners.has(owner) && subscription.expiresAt > (one.state as StpState).now,
        ),
      );
      return { items: items.sort(byMintTime), partial: await partialOf(states) };
    },
  };
};
export type Stp = ReturnType<typeof createStp>;
