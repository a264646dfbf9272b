import { type Address, getAddress, type Hex, parseEther } from 'viem';
import { DEFAULT_APP_ID, DEFAULT_ORGANIZATION_ID, ensureDefaultAccess } from '../../src/access/key.js';
import { MasterKey } from '../../src/config/secret.js';
import type { ChainParts } from '../../src/onchain/chain-parts.js';
import { createFollower, FOLLOWER_PATIENCE, type FollowerPatience } from '../../src/onchain/follower.js';
import { createNetworks, type NetworkSet } from '../../src/onchain/networks.js';
import type { Call, Sender, SendFailure, Sent } from '../../src/onchain/transaction/sender.js';
import { makeWallet, type UsableWallet } from '../../src/onchain/transaction/wallet.js';
import type { Database } from '../../src/store/database.js';
import { idempotent } from '../../src/write/idempotency.js';
import { startChain, type TestChain } from './chain.js';
import { openTestDatabase, type TestDatabase } from './database.js';

/** A chain, a database, and what sends from the one and is kept in the other. */
export interface WalletBench {
  readonly chain: TestChain;
  readonly fixture: TestDatabase;
  readonly masterKey: MasterKey;
  readonly parts: ChainParts;
  /** What was told to nobody else; empty unless something went wrong. */
  readonly faults: unknown[];
  /** Milliseconds by which the service's clock is ahead; tests turn it. */
  ahead: number;
  /** Makes a wallet; with 100 ether unless told otherwise. */
  wallet(ether?: string, key?: Uint8Array): Promise<UsableWallet>;
  /** Parts like those of another process: on a server with a database connection of its own. */
  otherParts(db: Database, url?: string): ChainParts;
  /** A follower with this patience, which does nothing by itself. */
  follower(patience?: Partial<FollowerPatience>): ReturnType<typeof createFollower>;
  stop(): Promise<void>;
}

/** @param url of an endpoint that stands before the chain */
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
  const partsOn = (db: Database, url: string): ChainParts => {
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
    otherParts: (db, other = url) => partsOn(db, other),
    follower: (patience = {}) => createFollower(parts, { ...FOLLOWER_PATIENCE, ...patience }),
    stop: async () => {
      for (const networks of opened) networks.stop();
      await Promise.all([chain.stop(), fixture.drop()]);
    },
  };
  const parts = partsOn(fixture.db, url);
  return bench;
};

/** An account that nothing else pays: what it holds is what was sent to it. */
export const freshAddress = (number: number): Address =>
  getAddress(`0x${(0xfeed_0000_0000n + BigInt(number)).toString(16).padStart(40, '0')}`);

/** A payment of some wei. */
export const pay = (to: Address, value: bigint, more: Partial<Call> = {}): Call => ({
  to,
  data: '0x',
  value,
  purpose: 'test',
  ...more,
});

/** Bytes of a contract that reverts with these words, whatever is asked of it. */
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
export const sentOf = (outcome: Sent | SendFailure | undefined): Sent => {
  if (isSent(outcome)) return outcome;
  throw new Error(`nothing was sent: ${JSON.stringify(outcome)}`);
};

/** Pays one wei for a request with an idempotency key. */
export const payOnce = (db: Database, sender: Sender, wallet: UsableWallet, to: Address, idem: string): Promise<Sent> =>
  idempotent(
    { db, clock: Date.now },
    { appId: DEFAULT_APP_ID, operation: 'mint-nft', idem, property: 'Idempotency-Key', body: { to } },
    async (journal) => sentOf((await sender.send(wallet, 'base', [pay(to, 1n)], { journal }))[0]),
  );
