import type { Address, Hex } from 'viem';
import type { ReadStpContract } from '../../store/stp/contract.js';
import type { ChainClient } from '../network.js';
import { readBounded, WORD_BYTES } from '../rpc/gas-bounded-read.js';
import { decodeText } from '../text.js';
import { TEXT_BYTES } from '../token/contract.js';
import { CALL } from './abi.js';
import { readWords, wordAddress } from './words.js';

/** As `TEXT_BYTES`, but with 2 KB: what a contract can read from its storage with the gas of one read. */
const MAX_URI = 2048;
const URI_BYTES = 2 * WORD_BYTES + MAX_URI;

/**
 * Reads owner, name, symbol and metadata address of contracts. A contract cannot disturb the reads of others: one that
 * reverts, never ends or returns too much only lacks that property, or is no subscription contract without an owner.
 * @param addresses 40 hex digits each
 * @returns in the order of the addresses
 * @throws what the client throws if the chain does not respond
 */
export const readDescriptions = async (
  client: ChainClient,
  addresses: readonly string[],
): Promise<ReadStpContract[]> => {
  const targets = addresses.map((hex): Address => `0x${hex}`);
  const [owners, texts, uris] = await Promise.all([
    readBounded(
      client,
      targets.map((target) => ({ target, data: CALL.owner })),
      WORD_BYTES,
    ),
    readBounded(
      client,
      targets.flatMap((target) => [CALL.name, CALL.symbol].map((data) => ({ target, data }))),
      TEXT_BYTES,
    ),
    readBounded(
      client,
      targets.map((target) => ({ target, data: CALL.uri })),
      URI_BYTES,
    ),
  ]);
  const textOf = (answer: Hex | undefined, most?: number): string => (answer && decodeText(answer, most)) ?? '';
  return addresses.map((address, index) => {
    const owner = wordAddress(readWords(owners[index], 1)?.[0]);
    if (owner === undefined) return { address, description: undefined };
    const [name, symbol] = [textOf(texts[2 * index]), textOf(texts[2 * index + 1])];
    return { address, description: { owner: owner.slice(2), name, symbol, uri: textOf(uris[index], MAX_URI) } };
  });
};
