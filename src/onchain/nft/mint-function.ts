import {
  type AbiFunction,
  type Address,
  encodeFunctionData,
  type Hex,
  parseAbi,
  parseAbiItem,
  size,
  toFunctionSelector,
} from 'viem';
import { invalidField } from '../../error.js';
import type { ChainClient } from '../network.js';
import { readBounded, WORD_BYTES } from '../rpc/gas-bounded-read.js';
import { type Minted, type MintTerms, noContract, readPrice, readTerms, SERIES_MINT } from './mint.js';

/** A function that mints a number of tokens to an address. */
export type MintFunction = AbiFunction;

/**
 * Mint functions of other collections, in the order in which they are looked for. Functions that mint a token of a given
 * id look the same from outside; a simulation shows whether they accept the call.
 */
const FUNCTIONS: readonly MintFunction[] = [
  parseAbiItem('function mint(address to, uint256 quantity) payable'),
  parseAbiItem('function mintTo(address to, uint256 quantity) payable'),
  parseAbiItem('function publicMint(address to, uint256 quantity) payable'),
];

/** Functions that return the price of a token, in wei. */
const prices = parseAbi([
  'function price() view returns (uint256)',
  'function mintPrice() view returns (uint256)',
  'function publicPrice() view returns (uint256)',
  'function cost() view returns (uint256)',
  'function PRICE() view returns (uint256)',
]);
const PRICE_READS = prices.map((item) => encodeFunctionData({ abi: [item] }));

/** Slot of the implementation's address in a proxy (EIP-1967). */
const IMPLEMENTATION_SLOT: Hex = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
/** Code of a minimal proxy, with the implementation's address (EIP-1167). */
const MINIMAL_PROXY = /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af4/i;
const ADDRESS_WORD = /^0x0{24}([0-9a-f]{40})$/i;

/** @returns the code that runs for calls of a contract: its own, or that of the implementation behind a proxy */
const runningCode = async (client: ChainClient, address: Address, code: Hex): Promise<Hex> => {
  const slot = await client.getStorageAt({ address, slot: IMPLEMENTATION_SLOT });
  const implementation = (MINIMAL_PROXY.exec(code) ?? ADDRESS_WORD.exec(slot ?? ''))?.[1];
  if (implementation === undefined || /^0+$/.test(implementation)) return code;
  return (await client.getCode({ address: `0x${implementation}` })) ?? code;
};

/** A contract compares the selector of a call with those of its functions, which its code pushes as four bytes (PUSH4, 0x63). */
const findMintFunction = (code: Hex): MintFunction | undefined =>
  FUNCTIONS.find((one) => code.toLowerCase().includes(`63${toFunctionSelector(one).slice(2)}`));

/**
 * Reads what a preview of a mint depends on: of a collection as this service deploys them, or of another contract with
 * a usual mint function.
 * @param now Unix milliseconds
 * @throws AppError not_found for an address without code, invalid for a contract without such a function; what the
 *   client throws if the chain does not respond
 */
export const readPreviewTerms = async (
  client: ChainClient,
  minted: Minted,
  from: Address,
  now: number,
): Promise<MintTerms & { readonly mint: MintFunction }> => {
  const { contract, property } = minted;
  const [code, price] = await Promise.all([client.getCode({ address: contract }), readPrice(client, contract)]);
  if (code === undefined) throw noContract(minted);
  if (price !== undefined) return { ...(await readTerms(client, minted, from, now, price)), mint: SERIES_MINT };
  const mint = findMintFunction(await runningCode(client, contract, code));
  if (mint === undefined) {
    const known = FUNCTIONS.map(({ name }) => `${name}(address,uint256)`).join(', ');
    throw invalidField(
      property,
      `${contract} has neither pricePerToken() nor a mint function that is known here: ${known}.`,
    );
  }
  const answers = await readBounded(
    client,
    PRICE_READS.map((data) => ({ target: contract, data })),
    WORD_BYTES,
  );
  const priceAnswer = answers.find((answer) => answer !== undefined && size(answer) === WORD_BYTES);
  return { ...(await readTerms(client, minted, from, now, BigInt(priceAnswer ?? 0))), mint };
};
