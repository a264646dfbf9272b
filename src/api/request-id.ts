import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** @returns the id that a proxy or client gave the request, if it is fit for logs and headers, else a new one. */
export const requestIdOf = (request: Pick<IncomingMessage, 'headers'>): string => {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[A-Za-z0-9._:-]{1,64}$/.test(given) ? given : randomUUID();
};
