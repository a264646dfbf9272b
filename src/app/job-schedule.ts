import type { Config } from '../config/config.js';
import { readStoredChannels } from '../ingest/channel/stored-message-job.js';
import { jobList } from '../job/job-list.js';
import { createSchedule, type Job, type Schedule } from '../job/schedule.js';
import type { Base } from './base.js';

/** @returns the job, measured; runs that the stop of the service ends are not counted */
const measured = (job: Job, { jobSeconds }: Base['metrics']): Job => ({
  ...job,
  run: async (signal) => {
    const stop = jobSeconds.startTimer({ name: job.name });
    try {
      const isMore = await job.run(signal);
      stop({ outcome: 'done' });
      return isMore;
    } catch (error) {
      if (!signal.aborted) stop({ outcome: 'failed' });
      throw error;
    }
  },
});

/** All jobs of the service. @param jobs those of its parts */
export const createJobSchedule = (
  { retention, channelRegistrar }: Pick<Config, 'retention' | 'channelRegistrar'>,
  { db, clock, changed, log, metrics }: Base,
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
    ].map((job) => measured(job, metrics)),
    failed: (job, error) => log.error({ err: error, job }, 'a job failed; it is tried again after its interval'),
  });
