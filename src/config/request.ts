import type { ConfigReader } from './reader.js';

/** A request that takes more than half a second no longer counts as in work, but a key may have only so many. */
const LONG_PER_KEY = 128;

/** Limits of the requests that a process serves. */
export interface RequestConfig {
  readonly inWork: number;
  readonly inWorkPerKey: number;
  readonly longPerKey: number;
  readonly waiting: number;
  readonly waitingPerKey: number;
  readonly connections: number;
}

export const readRequests = (reader: ConfigReader): RequestConfig => {
  const inWork = reader.get('CASTELLAN_REQUESTS');
  return {
    inWork,
    inWorkPerKey: Math.min(inWork, reader.get('CASTELLAN_REQUESTS_PER_KEY')),
    longPerKey: LONG_PER_KEY,
    waiting: reader.get('CASTELLAN_WAITING'),
    waitingPerKey: reader.get('CASTELLAN_WAITING_PER_KEY'),
    connections: reader.get('CASTELLAN_CONNECTIONS'),
  };
};
