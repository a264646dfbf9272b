import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

const CREDENTIALS = [
  '["x-api-key"]',
  'authorization',
  'headers["x-api-key"]',
  'headers.authorization',
  '*.headers["x-api-key"]',
  '*.headers.authorization',
];

/**
 * Makes the service's logger: one line of JSON for each event, to standard output by default.
 * Credentials in headers are redacted; other secrets are `Secret`s, which never print.
 */
export const createLog = (level: string, stream?: DestinationStream): Log => {
  const options = { level, base: null, redact: { paths: CREDENTIALS, censor: '[redacted]' } };
  return stream === undefined ? pino(options) : pino(options, stream);
};
