import { createTestClient, http, publicActions } from 'viem';
import { LOCAL_CHAIN } from '../network.js';

/** How often the pool is looked at. */
const LOOK_MS = 1_000;

/** The base fee rises by an eighth at most from one block to the next (EIP-1559): who pays that is mined at once. */
const payable = (baseFee: bigint): bigint => baseFee + baseFee / 8n + 1n;

/**
 * Makes the block that anvil forgets. It makes one for each transaction at once; but where transactions of one account
 * come before those that they follow, on a busy machine, it now and then leaves them ready in its pool until another
 * one comes (seen with anvil 1.7.1: 200 transactions, 16 at a time). What is there at two looks in a row, with no block
 * in between and a price that any block takes, is such a one.
 * @param url of an anvil that makes blocks by itself
 * @returns ends it
 */
export const keepMining = (url: string): (() => void) => {
  const client = createTestClient({
    chain: LOCAL_CHAIN,
    mode: 'anvil',
    transport: http(url, { retryCount: 0 }),
    cacheTime: 0,
  }).extend(publicActions);
  let seen: { readonly block: bigint; readonly hash: string } | undefined;
  const look = async (): Promise<void> => {
    const { pending } = await client.getTxpoolStatus();
    if (pending === 0) {
      seen = undefined;
      return;
    }
    const [{ number, baseFeePerGas }, content] = await Promise.all([client.getBlock(), client.getTxpoolContent()]);
    const enough = payable(baseFeePerGas ?? 0n);
    const ready = Object.values(content.pending)
      .flatMap((byNonce) => Object.values(byNonce))
      .find(({ maxFeePerGas, gasPrice }) => BigInt(maxFeePerGas ?? gasPrice ?? 0n) >= enough);
    const before = seen;
    seen = ready && { block: number, hash: ready.hash };
    if (!seen || before?.block !== seen.block || before.hash !== seen.hash) return;
    if (await client.getAutomine()) await client.mine({ blocks: 1 });
  };
  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    // A chain that ends, or is held up, is looked at again next time or never.
    look()
      .catch(() => undefined)
      .finally(() => {
        isLooking = false;
      });
  }, LOOK_MS).unref();
  return () => clearInterval(timer);
};
