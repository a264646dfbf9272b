import type { Config } from '../config/config.js';
import { readStoredChannels } from '../ingest/channel/stored-message-job.js';
import { jobList } from '../job/job-list.js';
import { createSchedule, type Job, type Schedule } from '../job/schedule.js';
import type { Base } from './base.js';

/** All jobs of the service. @param jobs those of its parts */
export const createJobSchedule = (
  { retention, channelRegistrar }: Pick<Config, 'retention' | 'channelRegistrar'>,
  { db, clock, changed, log }: Base,
  jobs: readonly Job[],
): Schedule =>
  createSchedule({
    db,
    jobs: [
      ...jobList({
        ...{ db, clock, retention, changed },
        readStoredChannels: (signal) => readStoredChannels({ db, registrar: channelRegistrar, changed }, signal),
      }),
      ...jobs,
    ],
    failed: (job, error) => log.error({ err: error, job }, 'a job failed; it is tried again after its interval'),
  });
