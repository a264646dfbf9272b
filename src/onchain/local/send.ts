import { type Address, type Hex, parseEther } from 'viem';
import type { LocalClient } from './chain.js';
import { LOCAL_TOKEN_DEPLOYER } from './token.js';

const SENDER_ETHER = parseEther('10000');

export interface LocalTransaction {
  readonly to?: Address;
  readonly data: Hex;
  readonly gas: bigint;
}

/**
 * Sends transactions as the deployer of the tokens, whose key is unknown, in as few blocks as possible.
 * @param blockSize how many of them fit into a block
 */
export const sendLocalTransactions = async (
  client: LocalClient,
  localTransactions: readonly LocalTransaction[],
  blockSize: number,
): Promise<void> => {
  await client.setBalance({ address: LOCAL_TOKEN_DEPLOYER, value: SENDER_ETHER });
  await client.impersonateAccount({ address: LOCAL_TOKEN_DEPLOYER });
  await client.setAutomine(false);
  try {
    let nonce = await client.getTransactionCount({ address: LOCAL_TOKEN_DEPLOYER });
    for (let from = 0; from < localTransactions.length; from += blockSize) {
      const block = localTransactions.slice(from, from + blockSize);
      await Promise.all(
        block.map((errand) =>
          client.sendUnsignedTransaction({ from: LOCAL_TOKEN_DEPLOYER, nonce: nonce++, ...errand }),
        ),
      );
      await client.mine({ blocks: 1 });
    }
  } finally {
    await client.setAutomine(true);
    await client.stopImpersonatingAccount({ address: LOCAL_TOKEN_DEPLOYER });
  }
};
