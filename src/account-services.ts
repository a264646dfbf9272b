import { parseEther } from 'viem';
import { accountJobs } from './account/job.js';
import { followLocalRegistries, type LocalRegistryFollower } from './account/local-follower.js';
import type { RegistrationDependencies } from './account/registration.js';
import { createRegistrySender } from './account/registry-sender.js';
import type { Config } from './config/config.js';
import { createNameRegistry } from './fname/create.js';
import type { LocalNameRegistry } from './fname/local-registry.js';
import type { Job } from './job/schedule.js';
import type { Log } from './log.js';
import type { Sender } from './onchain/transaction/sender.js';

type Parts = Omit<RegistrationDependencies, 'registry' | 'settings' | 'masterKey' | 'failed' | 'names'> & {
  readonly sender: Sender;
  readonly log: Log;
  /** Whether there is a local chain whose events no hub brings. */
  readonly followsLocalChain: boolean;
};

/** What buys accounts and storage, its jobs, and the reader of the local chain. */
export interface AccountServices {
  readonly accounts: RegistrationDependencies;
  /** Set in a local network. */
  readonly localNames: LocalNameRegistry | undefined;
  readonly jobs: readonly Job[];
  readonly follower: LocalRegistryFollower | undefined;
}

export const createAccountServices = (
  config: Config,
  { sender, log, followsLocalChain, ...parts }: Parts,
): AccountServices => {
  const { accounts: settings, masterKey } = config;
  const { db, ingest, networks, clock } = parts;
  const { names, localNames } = createNameRegistry(config, { db, ingest, clock });
  const dailySpend = parseEther(settings.dailySpendEther);
  const registry = createRegistrySender({ db, ingest, networks, sender, dailySpend, clock });
  const accounts: RegistrationDependencies = {
    ...parts,
    names,
    registry,
    settings,
    masterKey,
    failed: (err, fid) => log.error({ err, fid }, 'the profile of a new account could not be written; it is given up'),
  };
  const report = (err: unknown): void => log.error({ err }, 'a registration could not be continued; it is tried again');
  return {
    accounts,
    localNames,
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
