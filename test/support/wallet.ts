import { type Address, getAddress, type Hex, parseEther } from 'viem';
import { DEFAULT_APP_ID, DEFAULT_ORGANIZATION_ID, ensureDefaultAccess } from '../../src/access/key.js';
import { MasterKey } from '../../src/config/secret.js';
import type { Database } from '../../src/db/database.js';
import { createNetworks, type NetworkSet } from '../../src/onchain/rpc/networks.js';
import type { Call, SendFailure, Sent } from '../../src/onchain/transaction/call.js';
import type { ChainDependencies } from '../../src/onchain/transaction/dependencies.js';
import type { Sender } from '../../src/onchain/transaction/sender.js';
import { createTransactionTracker, TRACKER_TIMING, type TrackerTiming } from '../../src/onchain/transaction/tracker.js';
import { makeWallet, type UsableWallet } from '../../src/onchain/transaction/wallet.js';
import { idempotent } from '../../src/write/idempotency.js';
import { startChain, type TestChain } from './chain.js';
import { openTestDatabase, type TestDatabase } from './database.js';

/** A chain, a database, and the services that send transactions and store them. */
export interface WalletBench {
  readonly chain: TestChain;
  readonly fixture: TestDatabase;
  readonly masterKey: MasterKey;
  readonly parts: ChainDependencies;
  /** Errors of background work; empty unless something failed. */
  readonly faults: unknown[];
  /** Milliseconds by which the service's clock is ahead. */
  ahead: number;
  /** Creates a wallet, by default with 100 ether. */
  wallet(ether?: string, key?: Uint8Array): Promise<UsableWallet>;
  /** Parts like those of another process: on a server with a database connection of its own. */
  otherDependencies(db: Database, url?: string): ChainDependencies;
  /** A tracker with this timing, which runs only when called. */
  follower(patience?: Partial<TrackerTiming>): ReturnType<typeof createTransactionTracker>;
  stop(): Promise<void>;
}

/** @param url of an endpoint in front of the chain */
const networksTo = (url: string): NetworkSet => createNetworks({ rpc: {}, localChain: { url: async () => url } });

export const startWalletBench = async (
  options: Parameters<typeof startChain>[0] = {},
  before?: (url: string) => Promise<string>,
): Promise<WalletBench> => {
  const [chain, fixture] = await Promise.all([startChain(options), openTestDatabase()]);
  await ensureDefaultAccess(fixture.db, undefined, new Date());
  const masterKey = MasterKey.parse(MasterKey.generate()) as MasterKey;
  const opened: NetworkSet[] = [];
  const faults: unknown[] = [];
  const partsOn = (db: Database, url: string): ChainDependencies => {
    const networks = networksTo(url);
    opened.push(networks);
    return { db, networks, masterKey, clock: () => Date.now() + bench.ahead, failed: (error) => faults.push(error) };
  };
  const url = before ? await before(chain.url) : chain.url;
  const bench: WalletBench = {
    chain,
    fixture,
    masterKey,
    faults,
    ahead: 0,
    get parts() {
      return parts;
    },
    wallet: async (ether = '100', key) => {
      const made = await makeWallet(fixture.db, masterKey, {
        organizationId: DEFAULT_ORGANIZATION_ID,
        name: 'of a test',
        now: new Date(),
        ...(key && { key }),
      });
      await chain.test.setBalance({ address: made.address, value: parseEther(ether) });
      return made;
    },
    otherDependencies: (db, other = url) => partsOn(db, other),
    follower: (patience = {}) => createTransactionTracker(parts, { ...TRACKER_TIMING, ...patience }),
    stop: async () => {
      for (const networks of opened) networks.stop();
      await Promise.all([chain.stop(), fixture.drop()]);
    },
  };
  const parts = partsOn(fixture.db, url);
  return bench;
};

/** An address that receives no other payments. */
export const unusedAddress = (number: number): Address =>
  getAddress(`0x${(0xfeed_0000_0000n + BigInt(number)).toString(16).padStart(40, '0')}`);

/** A payment of some wei. */
export const pay = (to: Address, value: bigint, more: Partial<Call> = {}): Call => ({
  to,
  data: '0x',
  value,
  purpose: 'test',
  ...more,
});

/** Bytes of a contract that reverts every call with this message. */
export const revertingCode = (words: string): Hex => {
  const data = Buffer.concat([
    Buffer.from('08c379a0', 'hex'),
    Buffer.from(32n.toString(16).padStart(64, '0'), 'hex'),
    Buffer.from(BigInt(words.length).toString(16).padStart(64, '0'), 'hex'),
    Buffer.concat([Buffer.from(words), Buffer.alloc(32)]).subarray(0, 32),
  ]);
  // CODECOPY of what follows the code to memory 0, then REVERT: 60 size 60 12 60 00 39 60 size 60 00 fd.
  const size = data.length.toString(16).padStart(2, '0');
  return `0x60${size}600c60003960${size}6000fd${data.toString('hex')}`;
};

export const isSent = (outcome: Sent | SendFailure | undefined): outcome is Sent =>
  outcome !== undefined && 'hash' in outcome;

/** @throws Error when it was not sent */
export const requireSent = (outcome: Sent | SendFailure | undefined): Sent => {
  if (isSent(outcome)) return outcome;
  throw new Error(`nothing was sent: ${JSON.stringify(outcome)}`);
};

/** Pays one wei for a request with an idempotency key. */
export const payOnce = (db: Database, sender: Sender, wallet: UsableWallet, to: Address, idem: string): Promise<Sent> =>
  idempotent(
    { db, clock: Date.now },
    { appId: DEFAULT_APP_ID, operation: 'mint-nft', idem, property: 'Idempotency-Key', body: { to } },
    async (idempotencyRecord) =>
      requireSent((await sender.send(wallet, 'base', [pay(to, 1n)], { idempotencyRecord: idempotencyRecord }))[0]),
  );
