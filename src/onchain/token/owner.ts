import type { Address } from 'viem';
import type { ChainClient } from '../network.js';
import { readBounded, WORD_BYTES } from '../rpc/gas-bounded-read.js';
import { balanceCall, readTokenContracts, readWord } from './contract.js';

/** An account with the addresses that may hold tokens for it, in lower case. */
export interface PossibleOwner {
  readonly fid: number;
  readonly addresses: readonly Address[];
}

/**
 * Finds the owners of tokens by the balances of their addresses.
 * @param tokens distinct contracts, in lower case
 * @param accounts in the order in which owners of equal amounts are listed
 * @returns for each token the fids of its owners, the largest balance of all addresses first; undefined for what is not
 *   an ERC-20 token. A balance above the total supply is a lie of the contract, and not counted.
 * @throws what the client throws if the chain does not respond
 */
export const readOwners = async (
  client: ChainClient,
  tokens: readonly Address[],
  accounts: readonly PossibleOwner[],
): Promise<(readonly number[] | undefined)[]> => {
  const contracts = await readTokenContracts(client, tokens, () => false);
  const found = tokens.filter((_, index) => contracts[index] !== undefined);
  const addresses = accounts.flatMap((account) => account.addresses);
  const reads = found.flatMap((target) => addresses.map((address) => ({ target, data: balanceCall(address) })));
  const answers = (await readBounded(client, reads, WORD_BYTES)).values();
  return contracts.map((contract) => {
    if (contract === undefined) return undefined;
    const balances = accounts.map(({ fid, addresses: { length } }) => {
      let sum = 0n;
      for (let index = 0; index < length; index += 1) {
        const balance = readWord(answers.next().value) ?? 0n;
        if (balance <= contract.totalSupply) sum += balance;
      }
      return { fid, sum };
    });
    return balances
      .filter(({ sum }) => sum > 0n)
      .sort((a, b) => Number(b.sum > a.sum) - Number(b.sum < a.sum))
      .map(({ fid }) => fid);
  });
};
