import { jobList } from '../../src/job/job-list.js';
import type { Network } from './network.js';

/** Runs a job of the service now, whenever it is due. @throws Error if there is none of this name */
export const runJob = async ({ app, config }: Network, name: string): Promise<void> => {
  const job = jobList({
    db: app.core.db,
    clock: app.services.clock,
    retention: config.retention,
    changed: () => undefined,
    readStoredChannels: async () => undefined,
  }).find((one) => one.name === name);
  if (!job) throw new Error(`there is no job ${name}`);
  await job.run(new AbortController().signal);
};
