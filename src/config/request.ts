import type { ConfigReader } from './reader.js';
import type { ValueOf } from './variable.js';

/** A request that takes more than half a second no longer counts as in work, but a key may have only so many. */
const LONG_PER_KEY = 128;

/** Limits of the requests that a process serves: how many may be in work and waiting. */
export interface RequestConfig {
  /** Requests in work at once. */
  readonly inWork: number;
  /** Those of one key, while other keys send requests, too. */
  readonly inWorkPerKey: number;
  /** Requests of one key that have been in work for long; while it has more, its others wait. */
  readonly longPerKey: number;
  readonly waiting: number;
  readonly waitingPerKey: number;
  readonly connections: number;
}

/** Reads without a key, with their limits in requests a minute. */
export interface PublicReadConfig {
  readonly kind: ValueOf<'CASTELLAN_PUBLIC_READS'>;
  readonly perAddress: number;
  readonly total: number;
}

export const readPublicReads = (reader: ConfigReader): PublicReadConfig => ({
  kind: reader.get('CASTELLAN_PUBLIC_READS'),
  perAddress: reader.get('CASTELLAN_PUBLIC_READS_PER_ADDRESS'),
  total: reader.get('CASTELLAN_PUBLIC_READS_PER_MINUTE'),
});

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
