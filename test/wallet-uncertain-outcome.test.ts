import { parseTransaction } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DEFAULT_APP_ID } from '../src/access/key.js';
import { Secret } from '../src/config/secret.js';
import { createNetworks, type NetworkSet } from '../src/onchain/rpc/networks.js';
import type { ChainDependencies } from '../src/onchain/transaction/dependencies.js';
import { createSender, type Sender } from '../src/onchain/transaction/sender.js';
import { createTransactionTracker } from '../src/onchain/transaction/tracker.js';
import type { UsableWallet } from '../src/onchain/transaction/wallet.js';
import { idempotent } from '../src/write/idempotency.js';
import { type ProxiedRequest, type RpcProxy, startRpcProxy } from './support/rpc-proxy.js';
import { isSent, pay, requireSent, startWalletBench, unusedAddress, type WalletBench } from './support/wallet.js';

// Two endpoints of one chain that lose answers, lag and refuse. Each call must be made once whatever they say.
let bench: WalletBench;
let first: RpcProxy;
let second: RpcProxy;
let networks: NetworkSet;
let parts: ChainDependencies;
let sender: Sender;
beforeAll(async () => {
  bench = await startWalletBench({ chainId: 8453, mineOnDemand: true });
  first = await startRpcProxy(bench.chain.url);
  second = await startRpcProxy(bench.chain.url);
});
beforeEach(() => {
  for (const proxy of [first, second]) proxy.decide = () => 'pass';
  networks?.stop();
  sender?.stop();
  // Endpoints are put aside after a fault: each test has its own, in the order of configuration.
  networks = createNetworks({
    rpc: { base: [new Secret(first.url), new Secret(second.url)] },
    timeouts: { total: 2000, each: 1000, afterFailure: 1000 },
  });
  parts = { ...bench.parts, networks };
  sender = createSender(parts);
});
afterAll(async () => {
  expect(bench.faults).toEqual([]);
  sender.stop();
  networks.stop();
  await Promise.all([first.stop(), second.stop()]);
  await bench.stop();
});

const balance = (number: number) => bench.chain.public.getBalance({ address: unusedAddress(number) });
const rows = (wallet: UsableWallet) =>
  bench.fixture.db.run<{ nonce: number; state: string; code: string | null; attempts: number }>(
    `select nonce, state, failure_code as code,
            (select count(*)::int from chain_attempt where transaction_id = t.id) as attempts
       from chain_transaction t where wallet_id = $1::uuid order by nonce, created_at`,
    [wallet.id],
  );
const isBroadcast = ({ method }: ProxiedRequest): boolean => method === 'eth_sendRawTransaction';
const REFUSED = { error: { code: -32_000, message: 'insufficient funds for gas * price + value' } };
const NONCE_TOO_LOW = { error: { code: -32_000, message: 'nonce too low' } };

/** Makes an endpoint take what it is handed and lose its answer. @returns what is over when the chain has it */
const losing = (proxy: RpcProxy): { readonly taken: () => Promise<unknown> } => {
  const arrived: Promise<unknown>[] = [];
  proxy.decide = (request) => {
    if (!isBroadcast(request)) return 'pass';
    const { params } = request;
    const handed = bench.chain.public.request({ method: 'eth_sendRawTransaction', params });
    arrived.push(handed.catch(() => undefined));
    return 'break';
  };
  return { taken: () => Promise.all(arrived) };
};

const payOnce = (wallet: UsableWallet, number: number, key: string) =>
  idempotent(
    { db: bench.fixture.db, clock: Date.now },
    { appId: DEFAULT_APP_ID, operation: 'mint-nft', idem: key, property: 'Idempotency-Key', body: { number } },
    async (idempotencyRecord) =>
      requireSent(
        (
          await sender.send(wallet, 'base', [pay(unusedAddress(number), 1n)], { idempotencyRecord: idempotencyRecord })
        )[0],
      ),
  );

test('a rejection by one endpoint does not count after another one may have accepted the bytes', async () => {
  const wallet = await bench.wallet();
  const { taken } = losing(first);
  second.decide = (request) => (isBroadcast(request) ? REFUSED : 'pass');
  const sent = await payOnce(wallet, 1, 'doubt');
  await taken();
  expect(await rows(wallet)).toEqual([{ nonce: 0, state: 'open', code: 'Unanswered', attempts: 1 }]);
  // The caller tries again.
  expect((await payOnce(wallet, 1, 'doubt')).id).toBe(sent.id);
  await bench.chain.mine();
  expect(await sender.receipt(sent.id, 0)).toMatchObject({ transactionHash: sent.hash });
  expect(await balance(1)).toBe(1n);
  expect(await rows(wallet)).toHaveLength(1);
});

test('an endpoint that has the transaction after a lost response of another one: it was accepted', async () => {
  const wallet = await bench.wallet();
  losing(first);
  second.decide = (request) => (isBroadcast(request) ? { error: { code: -32_000, message: 'already known' } } : 'pass');
  await payOnce(wallet, 2, 'known');
  expect(await rows(wallet)).toEqual([{ nonce: 0, state: 'open', code: null, attempts: 1 }]);
  await bench.chain.mine();
});

test('a transaction without any response may be pending: no later rejection fails it', async () => {
  const wallet = await bench.wallet();
  const { taken } = losing(first);
  losing(second);
  const sent = await payOnce(wallet, 3, 'silence');
  await taken();
  expect(await rows(wallet)).toMatchObject([{ state: 'open', code: 'Unanswered' }]);
  for (const proxy of [first, second]) proxy.decide = (request) => (isBroadcast(request) ? REFUSED : 'pass');
  expect((await payOnce(wallet, 3, 'silence')).id).toBe(sent.id);
  bench.ahead += 31_000;
  await createTransactionTracker(parts).round();
  expect(await rows(wallet)).toMatchObject([{ state: 'open', code: 'InsufficientFunds', attempts: 1 }]);
  await bench.chain.mine();
  expect(await sender.receipt(sent.id, 0)).toMatchObject({ transactionHash: sent.hash });
  expect(await balance(3)).toBe(1n);
});

test('after a rejection that is found later, the request may be repeated under its key', async () => {
  const wallet = await bench.wallet();
  for (const proxy of [first, second]) proxy.decide = (request) => (isBroadcast(request) ? REFUSED : 'pass');
  // The process wrote its rows and was refused, but died before it could forget what it had decided on.
  const { forget } = await dyingBeforeForget(wallet, 4, 'later');
  expect(forget).toBe(1);
  expect(await rows(wallet)).toMatchObject([{ state: 'refused' }]);
  for (const proxy of [first, second]) proxy.decide = () => 'pass';
  await expect(payOnce(wallet, 4, 'later')).rejects.toThrow('nothing was sent');
  const sent = await payOnce(wallet, 4, 'later');
  await bench.chain.mine();
  expect(await sender.receipt(sent.id, 0)).toMatchObject({ transactionHash: sent.hash });
  expect(await balance(4)).toBe(1n);
});

/** Runs a request whose journal cannot be forgotten. @returns how often that was tried */
const dyingBeforeForget = async (wallet: UsableWallet, number: number, key: string) => {
  let forget = 0;
  const request = idempotent(
    { db: bench.fixture.db, clock: Date.now },
    { appId: DEFAULT_APP_ID, operation: 'mint-nft', idem: key, property: 'Idempotency-Key', body: { number } },
    async (idempotencyRecord) => {
      const deaf = {
        loadDecision: () => idempotencyRecord?.loadDecision() ?? Promise.resolve(undefined),
        storeDecision: (...given: Parameters<NonNullable<typeof idempotencyRecord>['storeDecision']>) =>
          idempotencyRecord?.storeDecision(...given) as never,
        forget: async () => {
          forget += 1;
          throw new Error('died');
        },
      };
      return requireSent(
        (await sender.send(wallet, 'base', [pay(unusedAddress(number), 1n)], { idempotencyRecord: deaf }))[0],
      );
    },
  );
  await expect(request).rejects.toThrow('died');
  return { forget };
};

/** Endpoints that know the account's count, and nothing of its transactions. */
const historylessEndpoint = (more: (request: ProxiedRequest) => boolean = () => false) => {
  for (const proxy of [first, second]) {
    proxy.decide = (request) => {
      if (more(request)) return { error: { code: -32_000, message: 'state is pruned' } };
      const isOfHash = /^eth_getTransaction(Receipt|ByHash)$/.test(request.method);
      return isOfHash ? { result: null } : 'pass';
    };
  }
};

test('a nonce that is used at the first broadcast may be used by that transaction: nothing else is signed', async () => {
  const wallet = await bench.wallet();
  for (const proxy of [first, second]) {
    proxy.decide = (request) => {
      if (/^eth_getTransaction(Receipt|ByHash)$/.test(request.method)) return { result: null };
      return isBroadcast(request) ? NONCE_TOO_LOW : 'pass';
    };
  }
  // Handed in by somebody else meanwhile, and mined; the endpoints lag behind with its receipt.
  const [outcome] = await sender.send(wallet, 'base', [pay(unusedAddress(5), 1n)]);
  const sent = requireSent(outcome);
  expect(await rows(wallet)).toMatchObject([{ nonce: 0, state: 'open', attempts: 1 }]);
  const [{ raw } = { raw: Buffer.of() }] = await bench.fixture.db.run<{ raw: Buffer }>(
    'select raw from chain_attempt where transaction_id = $1::uuid',
    [sent.id],
  );
  await bench.chain.public.request({ method: 'eth_sendRawTransaction', params: [`0x${raw.toString('hex')}`] });
  await bench.chain.mine();
  const follower = createTransactionTracker(parts);
  historylessEndpoint();
  for (let round = 0; round < 3; round++) {
    await follower.round();
    bench.ahead += 31_000;
  }
  // The block that used the nonce has it.
  expect(await rows(wallet)).toMatchObject([{ nonce: 0, state: 'open', attempts: 1, code: null }]);
  historylessEndpoint(({ method, params }) => method === 'eth_getTransactionCount' && /^0x/.test(params[1]));
  await follower.round();
  // No endpoint knows by what it was used: it stays, and is shown.
  expect(await rows(wallet)).toMatchObject([{ nonce: 0, state: 'open', attempts: 1, code: 'NonceUsed' }]);
  first.decide = () => 'pass';
  second.decide = () => 'pass';
  expect(await sender.receipt(sent.id, 0)).toMatchObject({ transactionHash: sent.hash });
  expect(await balance(5)).toBe(1n);
});

test('two short reports of a wrong nonce do not count as one long anomaly', async () => {
  const wallet = await bench.wallet();
  await sender.send(wallet, 'base', [pay(unusedAddress(6), 1n)]);
  const follower = createTransactionTracker(parts);
  const odd = async (): Promise<void> => {
    for (const proxy of [first, second]) {
      proxy.decide = ({ method }) => (method === 'eth_getTransactionCount' ? { result: '0x5' } : 'pass');
    }
    await follower.round();
    for (const proxy of [first, second]) proxy.decide = () => 'pass';
  };
  await odd();
  await follower.round();
  bench.ahead += 31_000;
  first.forget();
  await odd();
  // Nobody looked into it.
  expect(first.count('eth_getTransactionByHash')).toBe(0);
  expect(await rows(wallet)).toMatchObject([{ nonce: 0, attempts: 1, code: null }]);
  await bench.chain.mine();
  await follower.round();
  expect(await rows(wallet)).toMatchObject([{ nonce: 0, state: 'mined' }]);
});

test('rejected transactions end, and their nonces are filled, without the price of gas', async () => {
  const wallet = await bench.wallet();
  let isRejected = false;
  for (const proxy of [first, second]) {
    proxy.decide = ({ method, params }) => {
      if (method === 'eth_getBlockByNumber' && isRejected) return { error: { code: -32_005, message: 'rate limit' } };
      if (method !== 'eth_sendRawTransaction' || parseTransaction(params[0]).value !== 3n) return 'pass';
      isRejected = true;
      return { error: { code: -32_000, message: 'exceeds block gas limit' } };
    };
  }
  const outcomes = await sender.send(
    wallet,
    'base',
    [3n, 1n, 3n].map((value) => pay(unusedAddress(30), value)),
  );
  expect(outcomes.map(isSent)).toEqual([false, true, false]);
  expect(await rows(wallet)).toMatchObject([
    { nonce: 0, state: 'refused' },
    { nonce: 0, state: 'open' },
    { nonce: 1, state: 'open' },
    { nonce: 2, state: 'refused' },
  ]);
  await bench.chain.mine();
  expect(await sender.receipt(requireSent(outcomes[1]).id, 0)).toMatchObject({ status: 'success' });
});
