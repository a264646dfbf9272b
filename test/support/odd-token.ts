import type { Address } from 'viem';
import { oddTokenAbi, oddTokenBytecode } from './artifact/odd-token.js';
import type { TestChain } from './chain.js';

/** What is odd about an ERC-20 token, in the order of its contract. */
const KINDS = ['false', 'nothing', 'fee', 'blacklist', 'silent', 'gas'] as const;

/** Deploys a token that does not behave as most do, without any holders. */
export const deployOddToken = async (chain: TestChain, kind: (typeof KINDS)[number]): Promise<Address> => {
  const args = [KINDS.indexOf(kind)] as const;
  return (await chain.deploy({ abi: oddTokenAbi, bytecode: oddTokenBytecode, args })).address;
};

const base = (chain: TestChain, token: Address) => ({
  ...{ address: token, abi: oddTokenAbi },
  ...{ account: chain.account(0), chain: chain.wallet.chain },
});

/** @param amount in the smallest unit; a token of the kind `fee` counts them beyond its total supply */
export const mintOddToken = async (chain: TestChain, token: Address, to: Address, amount: bigint): Promise<void> => {
  const call = { ...base(chain, token), functionName: 'mint', args: [to, amount] } as const;
  await chain.receipt(chain.wallet.writeContract(call));
};

/** From then on the token refuses every payment to the account. */
export const blacklist = async (chain: TestChain, token: Address, account: Address): Promise<void> => {
  const call = { ...base(chain, token), functionName: 'blacklist', args: [account] } as const;
  await chain.receipt(chain.wallet.writeContract(call));
};
