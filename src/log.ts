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
 * Makes the service's logger: one JSON line an event, to standard output unless another stream is given.
 * Credentials are blanked wherever headers are logged; secrets elsewhere are `Secret`s, which never print.
 */
export const createLog = (level: string, stream?: DestinationStream): Log => {
  const options = { level, base: null, redact: { paths: CREDENTIALS, censor: '[redacted]' } };
  return stream === undefined ? pino(options) : pino(options, stream);
};
