import { HOUR_MS } from '../duration.js';
import { countTopics, type TopicOptions } from './run.js';

/** @returns the job that counts topics each hour. @param options `clock` in Unix milliseconds */
export const createTopicJob = ({
  clock,
  ...options
}: Omit<TopicOptions, 'now' | 'signal'> & { readonly clock: () => number }) => ({
  name: 'count-topics',
  everyMs: HOUR_MS,
  run: (signal: AbortSignal): Promise<void> => countTopics({ ...options, now: clock(), signal }),
});
