import { AppError } from '../error.js';
import type { Job } from '../job/schedule.js';
import type { Sender } from '../onchain/transaction/sender.js';
import { addressOf, type UsableWallet } from '../onchain/transaction/wallet.js';
import { selectWallet } from '../store/onchain/wallet.js';
import { selectOpenRegistrations } from '../store/registry/account-registration.js';
import { selectPools, selectRegisteringAccounts } from '../store/registry/reserved-account.js';
import { writeProfile } from './profile.js';
import { abandonRegistration, awaitTransferred, type RegistrationDependencies } from './registration.js';
import { awaitRegistered, RESERVATION_MS, registerReserved } from './reservation.js';
import { followRegistryTransactions } from './transaction-job.js';

const EVERY_MS = 10_000;
/** The interval while no registration and no transaction is open. */
const QUIET_MS = 60_000;
const BATCH = 100;

interface Dependencies extends RegistrationDependencies {
  readonly sender: Sender;
  /** Called with errors of one account; the others go on, and it is tried again. */
  readonly report: (error: unknown) => void;
}

/** Runs `work` for each item; an error of one is reported and does not stop the others. */
const forEach = async <T>(
  { report }: Dependencies,
  items: readonly T[],
  signal: AbortSignal,
  work: (item: T) => Promise<unknown>,
): Promise<void> => {
  for (const item of items) {
    signal.throwIfAborted();
    await work(item).catch((error: unknown) => {
      // The outcome of a reverted transaction is stored; the next request says so.
      if (!(error instanceof AppError && error.code === 'TransactionFailed')) report(error);
    });
  }
};

/** Continues registrations whose request or process ended. @returns whether some are open */
const continueRegistrations = async (deps: Dependencies, signal: AbortSignal): Promise<boolean> => {
  const now = deps.clock();
  const registering = await selectRegisteringAccounts(deps.db, BATCH);
  const abandoned = registering.filter(({ reservedUntil }) => (reservedUntil?.getTime() ?? 0) < now);
  await forEach(deps, abandoned, signal, (row) => awaitRegistered(deps, row, 0));
  const open = await selectOpenRegistrations(deps.db, {
    now: new Date(now),
    begunBefore: new Date(now - RESERVATION_MS),
    limit: BATCH,
  });
  await forEach(deps, open, signal, (registration) => {
    if (registration.state === 'begun') return abandonRegistration(deps, registration);
    if (registration.state === 'sent') return awaitTransferred(deps, registration, 0);
    return writeProfile(deps, registration);
  });
  return registering.length + open.length > 0;
};

/** Registers accounts in advance for the wallets that registered some before. */
const fillPools = async (deps: Dependencies, signal: AbortSignal): Promise<void> => {
  const { db, clock, settings } = deps;
  if (settings.poolSize === 0) return;
  const pools = await selectPools(db, new Date(clock()));
  const short = pools.filter(({ available }) => available < settings.poolSize);
  await forEach(deps, short, signal, async ({ walletId, available }) => {
    const row = await selectWallet(db, walletId);
    if (!row) return;
    const wallet: UsableWallet = { id: row.id, address: addressOf(row) };
    for (let count = available; count < settings.poolSize; count += 1) await registerReserved(deps, wallet, undefined);
  });
};

/** Jobs that finish what requests for accounts and storage began. */
export const accountJobs = (deps: Dependencies): readonly Job[] => [
  {
    name: 'follow-registry-transactions',
    everyMs: EVERY_MS,
    quietMs: QUIET_MS,
    run: (signal) => followRegistryTransactions(deps, signal),
  },
  {
    name: 'continue-registrations',
    everyMs: EVERY_MS,
    quietMs: QUIET_MS,
    run: async (signal) => {
      const isMore = await continueRegistrations(deps, signal);
      await fillPools(deps, signal);
      return isMore;
    },
  },
];
