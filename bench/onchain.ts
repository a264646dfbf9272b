import { randomBytes } from 'node:crypto';
import { type Address, createTestClient, http, parseAbi, parseEther, publicActions } from 'viem';
import { foundry } from 'viem/chains';
import type { Database } from '../src/db/database.js';
import { startAnvil } from '../src/onchain/local/anvil.js';
import { PUBLIC_CHAINS } from '../src/onchain/network.js';
import { importBuilt } from './build-import.js';
import type { Progress } from './progress.js';
import { type Service, startService } from './service.js';
import type { Row } from './table.js';
import { type Target, withDatabase } from './target.js';

const DEPLOYMENTS = 20;
const SIMULATIONS = 30;
const WARM_UPS = 3;
const RECIPIENTS = 200;
const MINTS = 100;
/** Rounds of mints, of which the median is reported. */
const ROUNDS = 3;
const SIMULATION_TARGET_MS = 500;

const someone = (index: number): Address => `0x${(index + 1).toString(16).padStart(40, 'b')}`;

interface Times {
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** Results for collections on a local chain, which makes a block for each transaction. */
export interface OnchainResults {
  readonly deploy: Times;
  readonly simulate: Times;
  /** Seconds from the first request to the last response. */
  readonly mintSeconds: number;
}

export interface OnchainInput {
  readonly target: Target;
  readonly flags: readonly string[];
  readonly progress: Progress;
}

/** Removes wallets and their transactions, because they are sealed with this run's key. */
const forgetWallets = (db: Database): Promise<void> =>
  db.script(
    'truncate mint, token_metadata, collection, chain_attempt, chain_transaction, wallet_nonce, wallet; delete from idempotent_write',
  );

const makeBenchWallet = async (db: Database, masterKey: string) => {
  const { migrate } = await importBuilt<typeof import('../src/db/migrate.js')>('db/migrate.js');
  const access = await importBuilt<typeof import('../src/access/key.js')>('access/key.js');
  const { makeWallet } = await importBuilt<typeof import('../src/onchain/transaction/wallet.js')>(
    'onchain/transaction/wallet.js',
  );
  const { MasterKey } = await importBuilt<typeof import('../src/config/secret.js')>('config/secret.js');
  const key = MasterKey.parse(masterKey);
  if (key === undefined) throw new Error('the master key of the benchmark has another form than the service takes');
  await migrate(db);
  await forgetWallets(db);
  const now = new Date();
  await access.ensureDefaultAccess(db, undefined, now);
  return makeWallet(db, key, { organizationId: access.DEFAULT_ORGANIZATION_ID, name: 'bench', now });
};

const timesOf = (times: number[]): Times => {
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(share * times.length))] as number;
  return { p50: at(0.5), p99: at(0.99) };
};

/** Sends requests and measures the time of the response. @throws Error for any status but 200 */
const asker =
  ({ port, apiKey }: Service, walletId: string) =>
  async (path: string, body?: object) => {
    const began = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}/v2/social/nft/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'x-api-key': apiKey, 'x-wallet-id': walletId, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${path.slice(0, 40)}: ${answer.status} ${text.slice(0, 500)}`);
    // biome-ignore lint/suspicious/noExplicitAny: members of whatever came are read
    return { ms: performance.now() - began, body: JSON.parse(text) as any };
  };

/**
 * Measures sequential deployments, simulations for 200 recipients, and 100 concurrent mints from one wallet, each in
 * its own request that waits for its block.
 * @throws if a request fails, or the chain did not mint everything
 */
export const measureOnchain = async ({ target, flags, progress }: OnchainInput): Promise<OnchainResults> => {
  const masterKey = randomBytes(32).toString('hex');
  const wallet = await withDatabase(target.environment, (db) => makeBenchWallet(db, masterKey));
  const anvil = await startAnvil({ chainId: PUBLIC_CHAINS.base.id });
  const chain = createTestClient({
    chain: { ...foundry, id: anvil.chainId },
    mode: 'anvil',
    transport: http(anvil.url),
  });
  const reader = chain.extend(publicActions);
  await chain.setBalance({ address: wallet.address, value: parseEther('1000') });
  const environment = { ...target.environment, CASTELLAN_MASTER_KEY: masterKey, CASTELLAN_RPC_BASE: anvil.url };
  const service = await startService(environment, flags);
  const ask = asker(service, wallet.id);
  const deploy = () =>
    ask('deploy/erc721/', {
      network: 'base',
      name: 'Bench',
      symbol: 'BNC',
      image: 'https://image.example/bench.png',
      mint_config: { price_per_token: '1000' },
    });
  progress.start('onchain', DEPLOYMENTS + SIMULATIONS + ROUNDS * MINTS, 'requests');
  const repeat = async (rounds: number, work: () => Promise<{ readonly ms: number }>): Promise<Times> => {
    for (let round = 0; round < WARM_UPS; round += 1) await work();
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      times.push((await work()).ms);
      progress.add(1);
    }
    return timesOf(times);
  };
  const mintAll = async (): Promise<number> => {
    const address: Address = (await deploy()).body.collection.address;
    const began = performance.now();
    const answers = await Promise.all(
      Array.from({ length: MINTS }, async (_, index) => {
        const body = { network: 'base', contract_address: address, recipients: [{ address: someone(index) }] };
        const answer = await ask('mint/', body);
        progress.add(1);
        return answer.body.transactions[0];
      }),
    );
    const seconds = (performance.now() - began) / 1000;
    const failed = answers.find(({ error }) => error !== undefined);
    if (failed) throw new Error(`a mint failed: ${failed.error}`);
    const abi = parseAbi(['function totalSupply() view returns (uint256)']);
    const until = performance.now() + 60_000;
    // A response may precede its block; the measurement ends when all are mined.
    while ((await reader.readContract({ address, abi, functionName: 'totalSupply' })) !== BigInt(MINTS)) {
      if (performance.now() > until) throw new Error('not everything was minted');
      await new Promise((done) => setTimeout(done, 20));
    }
    return answers.every(({ receipt }) => receipt !== null) ? seconds : (performance.now() - began) / 1000;
  };
  try {
    const deployed = await repeat(DEPLOYMENTS, deploy);
    const { collection } = (await deploy()).body;
    const recipients = JSON.stringify(Array.from({ length: RECIPIENTS }, (_, index) => ({ address: someone(index) })));
    const query = new URLSearchParams({ recipients, nft_contract_address: collection.address, network: 'base' });
    const simulated = await repeat(SIMULATIONS, () => ask(`mint/?${query}`));
    const rounds: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await mintAll());
    rounds.sort((a, b) => a - b);
    return { deploy: deployed, simulate: simulated, mintSeconds: rounds[Math.floor(ROUNDS / 2)] as number };
  } finally {
    progress.stop();
    await service.stop();
    await anvil.stop();
    await withDatabase(target.environment, forgetWallets);
  }
};

export const onchainRows = ({ deploy, simulate, mintSeconds }: OnchainResults): Row[] => [
  { what: 'deployment of a collection, to its block', measured: `${(1000 / deploy.p50).toFixed(1)}/s`, ...deploy },
  {
    what: `mint simulation, ${RECIPIENTS} recipients`,
    measured: `${(1000 / simulate.p50).toFixed(1)}/s`,
    ...simulate,
    target: { text: `p99 < ${SIMULATION_TARGET_MS} ms`, isMet: simulate.p99 < SIMULATION_TARGET_MS },
  },
  {
    what: `${MINTS} mints at once, one wallet, to their blocks`,
    measured: `${mintSeconds.toFixed(2)} s, ${(MINTS / mintSeconds).toFixed(0)}/s`,
    target: { text: 'all succeed', isMet: true },
  },
];
