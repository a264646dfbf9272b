import { type Address, encodeFunctionData, getContractAddress, parseAbi, parseEther } from 'viem';
import { registryCode } from '../artifact/registry-code.js';
import { LOCAL_STP_FACTORY } from '../stp/factory.js';
import type { LocalClient } from './chain.js';
import { type LocalTransaction, sendLocalTransactions } from './send.js';

const MONTH_SECONDS = 30 * 86_400;
const YEAR_SECONDS = 365 * 86_400;
/** Subscriptions with this much time have expired when they are read. */
const MOMENT_SECONDS = 1;
const GAS = 4_000_000n;

/** Only the contracts of the local chain have `deployFor`, and let their common owner grant time. */
const abi = parseAbi([
  'struct Terms { string name; string symbol; string contractURI; string baseTokenURI; uint256 tps; uint256 minPurchaseSeconds; address owner; }',
  'function deployFor(Terms terms) returns (address)',
  'function grantTime(address[] accounts, uint256 secondsToAdd)',
]);

interface LocalSubscription {
  readonly address: Address;
  readonly name: string;
  readonly symbol: string;
  /** Color of its picture. */
  readonly color: string;
  /** Price of a month, in ether. */
  readonly monthEther: string;
  /** Places of accounts in the list of `installSubscriptions`. */
  readonly owner: number;
  readonly subscribed: readonly number[];
  readonly expired: readonly number[];
}

/** Code that is put at an address leaves its nonce at 0, so the first contract comes from nonce 0. */
const contractAt = (nonce: bigint): Address => getContractAddress({ from: LOCAL_STP_FACTORY.address, nonce });

/** In the order of deployment, which decides their addresses. */
export const LOCAL_SUBSCRIPTIONS: readonly LocalSubscription[] = [
  {
    address: contractAt(0n),
    name: 'Harbor Club',
    symbol: 'HARBOR',
    color: '1f6feb',
    monthEther: '0.0035',
    owner: 0,
    subscribed: [1, 2, 3, 4, 5, 6],
    expired: [7, 8],
  },
  {
    address: contractAt(1n),
    name: 'Night Watch',
    symbol: 'WATCH',
    color: '8250df',
    monthEther: '0.001',
    owner: 1,
    subscribed: [0, 2, 4],
    expired: [3],
  },
];

const metadataOf = ({ name, color }: LocalSubscription): string => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="#${color}" d="M0 0h8v8H0z"/></svg>`;
  return `data:application/json,${encodeURIComponent(
    JSON.stringify({ name, image: `data:image/svg+xml,${encodeURIComponent(svg)}` }),
  )}`;
};

const deployment = (subscription: LocalSubscription, owner: Address): LocalTransaction => {
  const { name, symbol, monthEther } = subscription;
  const tps = parseEther(monthEther) / BigInt(MONTH_SECONDS);
  const contractURI = metadataOf(subscription);
  const terms = { name, symbol, contractURI, baseTokenURI: '', tps, minPurchaseSeconds: BigInt(MONTH_SECONDS), owner };
  const data = encodeFunctionData({ abi, functionName: 'deployFor', args: [terms] });
  return { to: LOCAL_STP_FACTORY.address, data, gas: GAS };
};

const grants = ({ address, subscribed, expired }: LocalSubscription, accounts: readonly Address[]) =>
  [
    { places: subscribed, seconds: YEAR_SECONDS },
    { places: expired, seconds: MOMENT_SECONDS },
  ].map(({ places, seconds }): LocalTransaction => {
    const to = places.flatMap((place) => accounts[place] ?? []);
    return {
      to: address,
      data: encodeFunctionData({ abi, functionName: 'grantTime', args: [to, BigInt(seconds)] }),
      gas: GAS,
    };
  });

/**
 * Puts a factory of subscription contracts on the local chain, at its address on Base, and deploys two contracts with
 * subscribers. What is there already keeps its state.
 * @param accounts distinct addresses of accounts, in a fixed order; with fewer than two nothing is deployed
 */
export const installSubscriptions = async (client: LocalClient, accounts: readonly Address[]): Promise<void> => {
  const { address } = LOCAL_STP_FACTORY;
  const bytecode = registryCode.subscriptionTokenFactory;
  if ((await client.getCode({ address })) !== bytecode) await client.setCode({ address, bytecode });
  const [first] = LOCAL_SUBSCRIPTIONS as readonly [LocalSubscription];
  if (accounts.length < 2 || ((await client.getCode({ address: first.address })) ?? '0x') !== '0x') return;
  const deployments = LOCAL_SUBSCRIPTIONS.map((one) => deployment(one, accounts[one.owner] as Address));
  const given = LOCAL_SUBSCRIPTIONS.flatMap((one) => grants(one, accounts));
  // In one block, so that an interrupted start leaves all or nothing.
  await sendLocalTransactions(client, [...deployments, ...given], deployments.length + given.length);
  // Without further transactions the time of the newest block would stand still, and nothing would expire.
  await client.mine({ blocks: 2, interval: 2 * MOMENT_SECONDS });
};
