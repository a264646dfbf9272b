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

/** RFC 7617; hubs take a user and a password. */
const BASIC = /^basic +(\S+) *$/i;

/** @returns the password of `authorization: Basic`; undefined: there is none */
const passwordOf = (authorization: string | undefined): string | undefined => {
  const encoded = BASIC.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return colon === -1 ? undefined : text.slice(colon + 1);
};

/** @returns the API key of a request to a hub: in any of the headers, or as the password of Basic with any user */
export const hubKeyOf = (headers: IncomingHttpHeaders): string | undefined =>
  apiKeyOf(headers) ?? passwordOf(headers.authorization);
