import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

// A random start and a counter: unique across processes and restarts, without a random number per request.
const start = randomBytes(8).toString('hex');
let count = 0;

/** @returns the id given by a proxy or client if it is safe for logs and headers, else a new one */
export const requestIdOf = (request: Pick<IncomingMessage, 'headers'>): string => {
  const given = request.headers['x-request-id'];
  if (typeof given === 'string' && /^[A-Za-z0-9._:-]{1,64}$/.test(given)) return given;
  count += 1;
  return `${start}-${count.toString(36)}`;
};
