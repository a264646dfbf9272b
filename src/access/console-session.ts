import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Session } from '../db/statement.js';
import { AppError } from '../error.js';
import {
  deleteConsoleSession,
  insertConsoleLink,
  insertConsoleSession,
  selectConsoleSession,
  takeConsoleLink,
} from '../store/access/console-session.js';
import type { Caller } from './caller.js';
import { hashKey } from './key.js';

/** A working day. */
const SESSION_MS = 8 * 60 * 60 * 1000;
const LINK_MS = 24 * 60 * 60 * 1000;
const TOKEN_BYTES = 32;

const COOKIE = 'castellan_session';
/**
 * The console sends this header with each request. Pages of other sites cannot: a request with a header of its own is
 * asked for before (CORS), and no answer of this service lets them send cookies. So the cookie counts only with it.
 */
export const CONSOLE_HEADER = 'x-castellan-console';

export interface ConsoleDependencies {
  readonly db: Session;
  /** Finds the caller of an API key by its SHA-256 hash. @throws AppError unauthorized */
  readonly authenticate: (keyHash: Buffer) => Promise<Caller>;
}

/** A session of the console. */
export interface ConsoleSession {
  readonly caller: Caller;
  readonly expiresAt: Date;
}

const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

const cookieOf = ({ cookie = '' }: IncomingHttpHeaders): string | undefined => {
  for (const pair of cookie.split(';')) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === COOKIE && value) return value;
  }
  return undefined;
};

/** @returns whether a browser was signed in; the session may have ended since */
export const hasConsoleCookie = (headers: IncomingHttpHeaders): boolean => cookieOf(headers) !== undefined;

/** @returns the token of the session of a request from the console; undefined for every other request */
export const consoleTokenOf = (headers: IncomingHttpHeaders): string | undefined =>
  headers[CONSOLE_HEADER] === undefined ? undefined : cookieOf(headers);

/**
 * @param token undefined or '': the cookie is taken away
 * @param publicUrl address of the service: its path is that of the cookie, and with https the cookie is `Secure`
 * @returns the value of `set-cookie`
 */
export const sessionCookie = (token: string | undefined, publicUrl: string): string => {
  const { protocol, pathname } = new URL(publicUrl);
  const path = pathname.replace(/\/+$/, '') || '/';
  const life = token ? SESSION_MS / 1000 : 0;
  const secure = protocol === 'https:' ? '; Secure' : '';
  return `${COOKIE}=${token ?? ''}; Path=${path}; Max-Age=${life}; HttpOnly; SameSite=Strict${secure}`;
};

/**
 * Begins a session.
 * @param now Unix milliseconds
 * @returns the token of its cookie, which is stored nowhere: only its hash is
 */
export const beginConsoleSession = async (
  db: Session,
  caller: Caller,
  now: number,
): Promise<ConsoleSession & { readonly token: string }> => {
  const token = newToken();
  const expiresAt = new Date(now + SESSION_MS);
  await insertConsoleSession(db, { hash: hashKey(token), keyId: caller.keyId, now: new Date(now), expiresAt });
  return { caller, expiresAt, token };
};

/**
 * @param now Unix milliseconds
 * @throws AppError unauthorized for a session that has ended or is unknown, and for a key that works no more
 */
export const findConsoleSession = async (
  { db, authenticate }: ConsoleDependencies,
  token: string,
  now: number,
): Promise<ConsoleSession> => {
  const found = await selectConsoleSession(db, hashKey(token), new Date(now));
  if (found === undefined) {
    throw new AppError('unauthorized', 'SessionEnded', 'This session has ended. Sign in again.');
  }
  return { caller: await authenticate(found.keyHash), expiresAt: found.expiresAt };
};

export const endConsoleSession = (db: Session, token: string): Promise<void> =>
  deleteConsoleSession(db, hashKey(token));

/**
 * Makes a link that signs in once within a day.
 * @param now Unix milliseconds
 * @returns its token
 */
export const createConsoleLink = async (db: Session, keyId: string, now: number): Promise<string> => {
  const token = newToken();
  await insertConsoleLink(db, hashKey(token), { keyId, expiresAt: new Date(now + LINK_MS) });
  return token;
};

/**
 * Uses up a link.
 * @param now Unix milliseconds
 * @throws AppError unauthorized for a link that is unknown, used, or older than a day
 */
export const redeemConsoleLink = async (
  { db, authenticate }: ConsoleDependencies,
  token: string,
  now: number,
): Promise<Caller> => {
  const keyHash = await takeConsoleLink(db, hashKey(token), new Date(now));
  if (keyHash !== undefined) return authenticate(keyHash);
  const message =
    'This link was used, or has ended. Sign in with an API key, or restart `castellan dev` for another one.';
  throw new AppError('unauthorized', 'LinkUsed', message);
};
