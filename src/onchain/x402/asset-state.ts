import {
  type Address,
  decodeFunctionResult,
  domainSeparator,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
  parseAbi,
} from 'viem';
import { type ChainClient, type Networks, PUBLIC_CHAINS } from '../network.js';
import { readBounded, WORD_BYTES } from '../rpc/gas-bounded-read.js';
import { decodeText } from '../text.js';
import { balanceCall, readWord } from '../token/contract.js';
import type { DomainName, PayableAsset, PaymentNetwork } from './asset.js';

/** EIP-712 contracts, ERC-5267, EIP-3009. */
const abi = parseAbi([
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
]);

/** A domain of ERC-5267 whose texts have up to 64 bytes each. */
const DOMAIN_BYTES = 512;
/** `fields` of ERC-5267 for a domain with name, version, chain id and contract, as EIP-3009 has it. */
const DOMAIN_FIELDS = '0x0f';

/** What the contract of a token returns about its EIP-712 domain. */
export interface ContractDomain {
  /** Hash of the domain; undefined if the contract returns none. */
  readonly separator: Hex | undefined;
  /** Undefined if the contract returns none. */
  readonly name: DomainName | undefined;
}

/** State of a token and its holder on the chain. */
export interface AssetState {
  readonly domain: ContractDomain;
  /** In the smallest unit; undefined if there is no such token. */
  readonly balance: bigint | undefined;
  /** Those of the asked nonces that are spent or cancelled. */
  readonly spent: readonly Hex[];
}

/** Only `decodeFunctionResult` knows whether a response has the right form; it throws for others. */
const decodeDomain = (answer: Hex | undefined, asset: Address): ContractDomain | undefined => {
  try {
    const data = answer ?? '0x';
    const [fields, name, version, chainId, contract] = decodeFunctionResult({
      abi,
      functionName: 'eip712Domain',
      data,
    });
    if (fields !== DOMAIN_FIELDS || !isAddressEqual(contract, asset)) return undefined;
    const separator = domainSeparator({ domain: { name, version, chainId, verifyingContract: contract } });
    return { separator, name: { name, version } };
  } catch {
    return undefined;
  }
};

const readDomain = async (client: ChainClient, asset: Address): Promise<ContractDomain> => {
  const reads = (['DOMAIN_SEPARATOR', 'eip712Domain', 'name', 'version'] as const).map((functionName) => ({
    target: asset,
    data: encodeFunctionData({ abi, functionName }),
  }));
  const [separator, domain, ...texts] = await readBounded(client, reads, DOMAIN_BYTES);
  const decoded = decodeDomain(domain, asset);
  const [name, version] = texts.map((text) => text && decodeText(text));
  return {
    separator: readWord(separator) === undefined ? decoded?.separator : separator,
    name: decoded?.name ?? (name !== undefined && version !== undefined ? { name, version } : undefined),
  };
};

/**
 * @returns the client of a network; undefined if it has no endpoint, or a local chain stands for it, whose tokens and
 *   domains are not those of the network
 */
export const publicClient = (networks: Networks, network: PaymentNetwork): ChainClient | undefined =>
  networks.configured.includes(network) && networks.chainId(network) === PUBLIC_CHAINS[network].id
    ? networks.client(network)
    : undefined;

/**
 * @param nonces of authorizations of the holder, up to 600
 * @throws AppError internal if the chain does not respond
 */
export const readAssetState = async (
  client: ChainClient,
  { address }: Pick<PayableAsset, 'address'>,
  holder: Address,
  nonces: readonly Hex[],
): Promise<AssetState> => {
  // In one call, so that a payment is not collected between the reads.
  const reads = nonces.map((nonce) => ({
    target: address,
    data: encodeFunctionData({ abi, functionName: 'authorizationState', args: [holder, nonce] }),
  }));
  const [domain, answers] = await Promise.all([
    readDomain(client, address),
    readBounded(client, [...reads, { target: address, data: balanceCall(holder) }], WORD_BYTES),
  ]);
  return {
    domain,
    balance: readWord(answers.at(-1)),
    spent: nonces.filter((_, index) => readWord(answers[index]) === 1n),
  };
};
