import { createTestClient, http, publicActions } from 'viem';
import { LOCAL_CHAIN } from '../network.js';

/** Interval between two looks at the pool, in milliseconds. */
const POLL_INTERVAL_MS = 1_000;

/** The base fee rises by at most an eighth per block (EIP-1559), so a transaction that pays this is mined at once. */
const payable = (baseFee: bigint): bigint => baseFee + baseFee / 8n + 1n;

/**
 * Works around a bug of anvil 1.7.1. Anvil mines each transaction at once, but if transactions of one account arrive
 * before their predecessors on a busy machine, it sometimes leaves them ready in its pool until another one arrives
 * (seen with 200 transactions, 16 at a time). A block is mined for a transaction that was ready at two consecutive
 * looks, without a block in between and at a sufficient price.
 * @param url of an anvil that mines automatically
 * @returns a function that stops it
 */
export const mineContinuously = (url: string): (() => void) => {
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
    // The look fails if the chain ends or is busy; the next one may succeed.
    look()
      .catch(() => undefined)
      .finally(() => {
        isLooking = false;
      });
  }, POLL_INTERVAL_MS).unref();
  return () => clearInterval(timer);
};
