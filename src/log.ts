import { type DestinationStream, type Logger, pino } from 'pino';
import { KEY_HEADERS } from './access/key-header.js';

export type Log = Logger;

/** The places of headers in what is logged, as pino names them. */
const CREDENTIALS = KEY_HEADERS.flatMap((name) => ['', 'headers', '*.headers'].map((place) => `${place}["${name}"]`));

/**
 * Makes the service's logger: one line of JSON for each event, to standard output by default.
 * Credentials in headers are redacted; other secrets are `Secret`s, which never print.
 */
export const createLog = (level: string, stream?: DestinationStream): Log => {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: CREDENTIALS, censor: '[redacted]' },
  };
  return stream === undefined ? pino(options) : pino(options, stream);
};
