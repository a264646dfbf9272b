import { parseEther } from 'viem';
import { accountJobs } from '../account/job.js';
import { followLocalRegistries } from '../account/local-follower.js';
import type { RegistrationDependencies } from '../account/registration.js';
import { createRegistrySender } from '../account/registry-sender.js';
import type { AccountServices } from '../api/http/service.js';
import type { Config } from '../config/config.js';
import { createNameRegistry } from '../fname/create.js';
import type { Sender } from '../onchain/transaction/sender.js';
import { INVALIDATE_NOTHING } from '../store/change.js';
import type { Base } from './base.js';

/** What buys accounts and storage, its jobs, and the reader of the local chain. */
export const createAccountServices = (
  config: Config,
  { db, log, clock, changed }: Base,
  parts: Pick<RegistrationDependencies, 'ingest' | 'networks' | 'signers' | 'writer'> & {
    readonly sender: Sender;
    /** Whether there is a local chain. */
    readonly hasLocalChain: boolean;
  },
) => {
  const { accounts: settings, masterKey } = config;
  const { ingest, networks, signers, writer, sender, hasLocalChain } = parts;
  const { names, localNames } = createNameRegistry(config, { db, ingest, clock });
  const dailySpend = parseEther(settings.dailySpendEther);
  const registry = createRegistrySender({ db, ingest, networks, sender, dailySpend, clock });
  const accounts: RegistrationDependencies = {
    ...{ db, ingest, networks, clock, signers, writer },
    names,
    registry,
    settings,
    masterKey,
    failed: (err, fid) => log.error({ err, fid }, 'the profile of a new account could not be written; it is given up'),
  };
  const report = (err: unknown): void => log.error({ err }, 'a registration could not be continued; it is tried again');
  const services: AccountServices = { accounts, ...(localNames && { localNames }) };
  // The events of its registries are brought by no hub.
  const followsLocalChain = hasLocalChain && !config.hub && !config.rpc.optimism;
  return {
    services,
    jobs: accountJobs({ ...accounts, sender, report }),
    follower: followsLocalChain
      ? followLocalRegistries({
          db,
          ingest,
          networks,
          // Jobs that read the chain have something to do.
          mined: () => changed(INVALIDATE_NOTHING),
          failed: (err) => log.error({ err }, 'the local chain could not be read; it is tried again'),
        })
      : undefined,
  };
};
