import {
  type Abi,
  type Account,
  type Address,
  type Hex,
  parseAbi,
  parseEventLogs,
  type TransactionReceipt,
} from 'viem';
import type { TestChain } from './chain.js';

/** Creation code of the real contracts. The index of the package needs more than there is here. */
const code = (await import(
  new URL('../../node_modules/@withfabric/protocol-sdks/dist/esm/bytecode.js', import.meta.url).href
)) as Record<string, Hex>;

export const V1 = parseAbi([
  'function mint(uint256 numTokens) payable',
  'function mintFor(address account, uint256 numTokens) payable',
  'function grantTime(address[] accounts, uint256 secondsToAdd)',
  'function refund(uint256 numTokensIn, address[] accounts) payable',
  'function transferFrom(address from, address to, uint256 tokenId)',
  'function transferOwnership(address newOwner)',
  'function acceptOwnership()',
  'function balanceOf(address account) view returns (uint256)',
  'function subscriptionOf(address account) view returns (uint256 tokenId, uint256 refundable, uint256 points, uint256 expiresAt)',
]);
const V1_FACTORY = parseAbi([
  'constructor(address implementation)',
  'function deploySubscription(string name, string symbol, string contractURI, string tokenURI, uint256 tokensPerSecond, uint256 minimumPurchaseSeconds, uint16 rewardBps, address erc20TokenAddr, uint256 feeConfigId) payable returns (address)',
  'event Deployment(address indexed deployment, uint256 feeId)',
]);

const TIER =
  'struct Tier { uint32 periodDurationSeconds; uint32 maxSupply; uint48 maxCommitmentSeconds; uint48 startTimestamp; uint48 endTimestamp; uint8 rewardCurveId; uint16 rewardBasisPoints; bool paused; bool transferrable; uint256 initialMintPrice; uint256 pricePerPeriod; Gate gate; }';
const GATE = 'struct Gate { uint8 gateType; address contractAddress; uint256 componentId; uint256 balanceMin; }';
export const V2 = parseAbi([
  GATE,
  TIER,
  'struct Mint { uint16 tierId; address recipient; address referrer; uint256 referralCode; uint256 purchaseValue; }',
  'function mintFor(address account, uint256 numTokens) payable',
  'function mintAdvanced(Mint params) payable',
  'function createTier(Tier params)',
  'function grantTime(address account, uint48 numSeconds, uint16 tierId)',
  'function revokeTime(address account)',
  'function refund(address account, uint256 numTokens)',
  'function deactivateSubscription(address account)',
  'function transferFrom(address from, address to, uint256 id)',
  'function setPendingOwner(address account)',
  'function acceptOwnership()',
]);
const V2_FACTORY = parseAbi([
  GATE,
  TIER,
  'struct Init { string name; string symbol; string contractUri; address owner; address currencyAddress; uint64 globalSupplyCap; }',
  'struct Rewards { uint32 slashGracePeriod; bool slashable; }',
  'struct Curve { uint8 numPeriods; uint8 formulaBase; uint48 periodSeconds; uint48 startTimestamp; uint8 minMultiplier; }',
  'struct Deploy { uint16 clientFeeBps; uint16 clientReferralShareBps; address clientFeeRecipient; bytes deployKey; Init initParams; Tier tierParams; Rewards rewardParams; Curve curveParams; }',
  'constructor(address stpImplementation, address protocolFeeRecipient)',
  'function deploySubscription(Deploy params) payable returns (address)',
  'event Deployment(address indexed deployment, bytes deployKey)',
]);

const ZERO: Address = '0x0000000000000000000000000000000000000000';
const NONE = parseAbi(['constructor()']);

/** Sends a transaction. @throws Error if it reverts */
export type Send = (
  to: Address,
  call: { readonly abi: Abi; readonly functionName: string; readonly args: readonly unknown[] },
  options?: { readonly from?: Account; readonly value?: bigint },
) => Promise<TransactionReceipt>;

export const sender =
  (chain: TestChain): Send =>
  async (address, call, { from = chain.account(0), value = 0n } = {}) => {
    const { chain: definition } = chain.wallet;
    const gas = 3_000_000n;
    // biome-ignore lint/suspicious/noExplicitAny: the ABI is the caller's
    const request = { address, ...call, value, gas, account: from, chain: definition } as any;
    const receipt = await chain.receipt(chain.wallet.writeContract(request));
    if (receipt.status !== 'success') throw new Error(`${call.functionName} reverted`);
    return receipt;
  };

export interface ContractOptions {
  readonly name?: string;
  readonly symbol?: string;
  readonly uri?: string;
  readonly currency?: Address;
  readonly owner?: Account;
}

/** Price of a second of version 1, and the shortest time that it sells, in seconds. */
export const PER_SECOND = 1_350_308_641n;
export const MONTH = 2_592_000;

/** Of the first tier of version 2. */
export const PER_PERIOD = 1_000_000n;
export const MINT_PRICE = 5_000n;

export const tier = (more: object = {}) => ({
  periodDurationSeconds: MONTH,
  maxSupply: 1000,
  maxCommitmentSeconds: 0,
  startTimestamp: 0,
  endTimestamp: 0,
  rewardCurveId: 0,
  rewardBasisPoints: 0,
  paused: false,
  transferrable: true,
  initialMintPrice: MINT_PRICE,
  pricePerPeriod: PER_PERIOD,
  gate: { gateType: 0, contractAddress: ZERO, componentId: 0n, balanceMin: 0n },
  ...more,
});

/** The real factories of both versions, on a chain of a test. */
export interface StpFactories {
  readonly v1: Address;
  readonly v2: Address;
  /** @returns a contract of version 1, in lower case */
  deployV1(options?: ContractOptions): Promise<Address>;
  /** @returns a contract of version 2, in lower case */
  deployV2(options?: ContractOptions): Promise<Address>;
}

export const deployStpFactories = async (chain: TestChain): Promise<StpFactories> => {
  const logic = async (bytecode: Hex): Promise<Address> =>
    (await chain.deploy({ abi: NONE, bytecode, args: [] })).address;
  const [one, two] = [await logic(code.SubscriptionTokenV1Bytecode as Hex), await logic(code.STPV2Bytecode as Hex)];
  const v1 = await chain.deploy({
    abi: V1_FACTORY,
    bytecode: code.SubscriptionTokenV1FactoryBytecode as Hex,
    args: [one],
  });
  const v2 = await chain.deploy({
    abi: V2_FACTORY,
    bytecode: code.STPV2FactoryBytecode as Hex,
    args: [two, chain.account(9).address],
  });
  const send = sender(chain);
  const deployed = ({ logs }: TransactionReceipt, abi: Abi): Address => {
    const [event] = parseEventLogs({ abi, logs, eventName: 'Deployment' });
    return (event as unknown as { args: { deployment: Address } }).args.deployment.toLowerCase() as Address;
  };
  return {
    v1: v1.address,
    v2: v2.address,
    deployV1: async ({ name = 'First', symbol = 'ONE', uri = '', currency = ZERO, owner = chain.account(0) } = {}) => {
      const args = [name, symbol, uri === '' ? 'none' : uri, 'none', PER_SECOND, BigInt(MONTH), 0, currency, 0n];
      const call = { abi: V1_FACTORY as Abi, functionName: 'deploySubscription', args };
      return deployed(await send(v1.address, call, { from: owner }), V1_FACTORY);
    },
    deployV2: async ({ name = 'Second', symbol = 'TWO', uri = '', currency = ZERO, owner = chain.account(0) } = {}) => {
      const params = {
        clientFeeBps: 0,
        clientReferralShareBps: 0,
        clientFeeRecipient: ZERO,
        deployKey: '0x01',
        initParams: {
          name,
          symbol,
          contractUri: uri === '' ? 'none' : uri,
          owner: owner.address,
          currencyAddress: currency,
          globalSupplyCap: 1000n,
        },
        tierParams: tier(),
        rewardParams: { slashGracePeriod: 7 * 86_400, slashable: true },
        curveParams: { numPeriods: 6, formulaBase: 2, periodSeconds: MONTH, startTimestamp: 0, minMultiplier: 0 },
      };
      const call = { abi: V2_FACTORY as Abi, functionName: 'deploySubscription', args: [params] };
      return deployed(await send(v2.address, call, { from: owner }), V2_FACTORY);
    },
  };
};
