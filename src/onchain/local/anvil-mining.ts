import { setTimeout as wait } from 'node:timers/promises';
import { type Address, createTestClient, type GetTxpoolContentReturnType, type Hash, http, publicActions } from 'viem';
import { LOCAL_CHAIN } from '../network.js';

/** Interval between two looks at the pool. */
const POLL_INTERVAL_MS = 1_000;
/** While the pool is empty, the interval grows step by step, to so many times its length. */
const QUIET_FACTOR = 3;

/** The base fee rises by at most an eighth per block (EIP-1559), so a transaction that pays this is mined at once. */
const payable = (baseFee: bigint): bigint => baseFee + baseFee / 8n + 1n;

/** Transactions by sender and nonce; within a sender in the order of their nonces. */
type Pool = GetTxpoolContentReturnType['pending'];

/** Viem has no types for these methods of anvil. */
type Request = (call: { readonly method: string; readonly params: readonly unknown[] }) => Promise<unknown>;

const clientOf = (url: string) =>
  createTestClient({
    chain: LOCAL_CHAIN,
    mode: 'anvil',
    transport: http(url, { retryCount: 0 }),
    cacheTime: 0,
  }).extend(publicActions);

/** Takes the waiting transactions of an account out of the pool, and sends them again. */
const sendAgain = async (request: Request, sender: Address, hashes: readonly Hash[]): Promise<void> => {
  const signed = await Promise.all(
    hashes.map((hash) => request({ method: 'eth_getRawTransactionByHash', params: [hash] })),
  );
  await request({ method: 'anvil_removePoolTransactions', params: [sender] });
  for (const bytes of signed) await request({ method: 'eth_sendRawTransaction', params: [bytes] });
};

/**
 * Makes up for two faults of anvil 1.7.1, which a busy machine shows with 200 transactions of one account, 16 at a time.
 * It queues a block for each transaction that becomes ready, and each with all transactions that are ready then, so that
 * they wait for seconds, and sometimes until another one arrives. A block mined on request takes all of them at once; one
 * is mined for a transaction that was ready at two consecutive looks at a sufficient price.
 * And a transaction that arrives while the one before it is mined may wait for that one forever, and with it all later
 * ones of its account. They are sent again if the nonce of the first is the next one at two consecutive looks.
 * @param url of an anvil that mines automatically
 * @param intervalMs between two looks at the pool, in milliseconds
 * @returns a function that stops it
 */
export const mineContinuously = (url: string, intervalMs = POLL_INTERVAL_MS): (() => void) => {
  const client = clientOf(url);
  let ready: Hash | undefined;
  let stranded: ReadonlySet<Hash> = new Set();
  const mineForgotten = async (pending: Pool): Promise<void> => {
    const enough = payable((await client.getBlock()).baseFeePerGas ?? 0n);
    const found = Object.values(pending)
      .flatMap((byNonce) => Object.values(byNonce))
      .filter(({ maxFeePerGas, gasPrice }) => BigInt(maxFeePerGas ?? gasPrice ?? 0n) >= enough)
      .map(({ hash }) => hash);
    const wasReady = ready !== undefined && found.includes(ready);
    ready = found.at(-1);
    if (wasReady && (await client.getAutomine())) await client.mine({ blocks: 1 });
  };
  const sendStrandedAgain = async (queued: Pool): Promise<void> => {
    const found = new Set<Hash>();
    for (const [address, byNonce] of Object.entries(queued) as [Address, Pool[Address]][]) {
      const hashes = Object.values(byNonce).map(({ hash }) => hash);
      const first = byNonce[String(await client.getTransactionCount({ address }))]?.hash;
      if (first === undefined) continue;
      found.add(first);
      if (stranded.has(first)) await sendAgain(client.request as unknown as Request, address, hashes);
    }
    stranded = found;
  };
  /** @returns whether transactions wait in the pool */
  const look = async (): Promise<boolean> => {
    const { pending, queued } = await client.getTxpoolContent();
    const isEmpty = Object.keys(pending).length + Object.keys(queued).length === 0;
    if (Object.keys(pending).length > 0) await mineForgotten(pending);
    await sendStrandedAgain(queued);
    return !isEmpty;
  };
  const stopping = new AbortController();
  const keepLooking = async (): Promise<void> => {
    let waitMs = intervalMs;
    while (await wait(waitMs, true, { signal: stopping.signal, ref: false }).catch(() => false)) {
      // The look fails if the chain ends or is busy; the next one may succeed.
      const isWaiting = await look().catch(() => true);
      waitMs = isWaiting ? intervalMs : Math.min(1.5 * waitMs, QUIET_FACTOR * intervalMs);
    }
  };
  void keepLooking();
  return () => stopping.abort();
};
