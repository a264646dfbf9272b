import type { IncomingHttpHeaders } from 'node:http';

/**
 * Request headers that may carry an API key, in the order in which they are looked at: the vendor's clients send
 * `x-api-key`; older clients, frames and agents `api_key` (a proxy may have to let its underscore through:
 * docs/operating.md); tools that know one kind of authentication send `Authorization: Bearer`.
 */
export const KEY_HEADERS = ['x-api-key', 'api_key', 'authorization'] as const;

/** The header of errors that asks for a key (RFC 9110, section 11.6.1). */
export const KEY_CHALLENGE = 'ApiKey header="x-api-key", Bearer';

/** RFC 6750, section 2.1; the name of the scheme is case-insensitive. */
const BEARER = /^bearer +(\S+) *$/i;

/** @param value of the header `authorization` @returns its bearer token; undefined: there is none */
export const bearerOf = (value: string | undefined): string | undefined =>
  value === undefined ? undefined : BEARER.exec(value)?.[1];

/** @returns the API key of a request; undefined if none of its headers has one */
export const apiKeyOf = (headers: IncomingHttpHeaders): string | undefined => {
  for (const name of KEY_HEADERS) {
    const value = headers[name];
    if (typeof value !== 'string' || value === '') continue;
    const key = name === 'authorization' ? bearerOf(value) : value;
    if (key !== undefined) return key;
  }
  return undefined;
};
