import { accountJobs } from './account/job.js';
import { followLocalRegistries, type LocalRegistryFollower } from './account/local-follower.js';
import type { RegistrationDependencies } from './account/registration.js';
import { createRegistrySender } from './account/registry-sender.js';
import type { Config } from './config/config.js';
import type { Job } from './job/schedule.js';
import type { Log } from './log.js';
import type { Sender } from './onchain/transaction/sender.js';

type Parts = Omit<RegistrationDependencies, 'registry' | 'settings' | 'masterKey' | 'failed'> & {
  readonly sender: Sender;
  readonly log: Log;
  /** Whether there is a local chain whose events no hub brings. */
  readonly followsLocalChain: boolean;
};

/** What buys accounts and storage, its jobs, and the reader of the local chain. */
export interface AccountServices {
  readonly accounts: RegistrationDependencies;
  readonly jobs: readonly Job[];
  readonly follower: LocalRegistryFollower | undefined;
}

export const createAccountServices = (
  { accounts: settings, masterKey }: Pick<Config, 'accounts' | 'masterKey'>,
  { sender, log, followsLocalChain, ...parts }: Parts,
): AccountServices => {
  const { db, ingest, networks, clock } = parts;
  const registry = createRegistrySender({ db, ingest, networks, sender, dailySpend: settings.dailySpend, clock });
  const accounts: RegistrationDependencies = {
    ...parts,
    registry,
    settings,
    masterKey,
    failed: (err, fid) => log.error({ err, fid }, 'the profile of a new account could not be written; it is given up'),
  };
  const report = (err: unknown): void => log.error({ err }, 'a registration could not be continued; it is tried again');
  return {
    accounts,
    jobs: accountJobs({ ...accounts, sender, report }),
    follower: followsLocalChain
      ? followLocalRegistries({
          db,
          ingest,
          networks,
          failed: (err) => log.error({ err }, 'the local chain could not be read; it is tried again'),
        })
      : undefined,
  };
};
