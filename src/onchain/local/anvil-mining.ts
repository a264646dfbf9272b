import { createTestClient, type Hash, http, publicActions } from 'viem';
import { LOCAL_CHAIN } from '../network.js';

/** Interval between two looks at the pool, in milliseconds. */
const POLL_INTERVAL_MS = 1_000;

/** The base fee rises by at most an eighth per block (EIP-1559), so a transaction that pays this is mined at once. */
const payable = (baseFee: bigint): bigint => baseFee + baseFee / 8n + 1n;

/**
 * Makes up for how anvil 1.7.1 mines automatically. It queues a block for each transaction that becomes ready, and each
 * with all transactions that are ready then, so that transactions of one account that arrive together (seen with 200, 16
 * at a time) are repeated in many queued blocks. On a busy machine they wait for seconds, and sometimes stay in the pool
 * until another one arrives. A block mined on request takes all of them at once; one is mined for a transaction that was
 * ready at two consecutive looks at a sufficient price.
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
  let seen: Hash | undefined;
  const look = async (): Promise<void> => {
    const { pending } = await client.getTxpoolStatus();
    if (pending === 0) {
      seen = undefined;
      return;
    }
    const [{ baseFeePerGas }, content] = await Promise.all([client.getBlock(), client.getTxpoolContent()]);
    const enough = payable(baseFeePerGas ?? 0n);
    const ready = Object.values(content.pending)
      .flatMap((byNonce) => Object.values(byNonce))
      .filter(({ maxFeePerGas, gasPrice }) => BigInt(maxFeePerGas ?? gasPrice ?? 0n) >= enough)
      .map(({ hash }) => hash);
    const wasReady = seen !== undefined && ready.includes(seen);
    seen = ready.at(-1);
    if (!wasReady) return;
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
