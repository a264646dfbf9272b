import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

// Random once and counted on from there: unique across processes and starts, and free of a random draw per request.
const start = randomBytes(8).toString('hex');
let count = 0;

/** @returns the id that a proxy or client gave the request, if it is fit for logs and headers, else a new one. */
export const requestIdOf = (request: Pick<IncomingMessage, 'headers'>): string => {
  const given = request.headers['x-request-id'];
  if (typeof given === 'string' && /^[A-Za-z0-9._:-]{1,64}$/.test(given)) return given;
  count += 1;
  return `${start}-${count.toString(36)}`;
};
