import type { Parse } from './parse.js';
import { Secret } from './secret.js';

/** Which servers a session may be on; the service writes, so standbys alone do not serve it. */
const TARGETS = ['any', 'primary', 'read-write'] as const;
export type SessionTarget = (typeof TARGETS)[number];

/** An address of servers as libpq reads it: the first of them on which a session may be is used. */
export interface DatabaseUrl {
  /** An address for each server, in the order in which they are tried. */
  readonly urls: readonly string[];
  readonly target: SessionTarget;
  /** Settings of the session, `-c name=value ...`; empty if there are none. */
  readonly options: string;
}

/** Settings of the session that the driver also takes by their names. */
const TIME_LIMITS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

const FORM = 'is not of the form postgres://user:password@host:5432/database.';

/**
 * @param text `postgres://user:password@host:5432,other:5433/database?target_session_attrs=read-write`. Without
 *   `target_session_attrs`, one host is taken as it is, and several must have one that takes writes; libpq would take the
 *   first that answers.
 * @throws Error that says what is wrong, without any part of the address
 * @source https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS
 */
export const parseDatabaseUrl = (text: string): DatabaseUrl => {
  const [, before, hosts, path, query = ''] =
    /^(postgres(?:ql)?:\/\/(?:[^/?]*@)?)([^/?]*)([^?]*)(?:\?(.*))?$/.exec(text) ?? [];
  if (before === undefined || hosts === undefined) throw new Error(FORM);
  const params = new URLSearchParams(query);
  const names = hosts.split(',');
  if (params.get('host')?.includes(','))
    throw new Error('names several hosts in its query: write them before the database.');
  const given = params.get('target_session_attrs') ?? (names.length > 1 ? 'read-write' : 'any');
  const target = TARGETS.find((one) => one === given);
  if (target === undefined) throw new Error(`has another target_session_attrs than ${TARGETS.join(', ')}.`);
  const rest = query
    .split('&')
    .filter((param) => ![...TIME_LIMITS, 'target_session_attrs', 'options'].includes(param.split('=', 1)[0] as string));
  // The driver would give them to all sessions, also to those with limits of their own.
  const limits = [...params].filter(([name]) => TIME_LIMITS.includes(name));
  const after = rest.join('&') === '' ? path : `${path}?${rest.join('&')}`;
  const urls = names.map((name) => `${before}${name}${after}`);
  if (names.length > 1 && names.includes('')) throw new Error('has an empty host.');
  if (!urls.every((url) => URL.canParse(url))) throw new Error(FORM);
  const options = [params.get('options') ?? '', ...limits.map(([name, value]) => `-c ${name}=${value}`)];
  return { urls, target, options: options.join(' ').trim() };
};

/** An address of servers, kept as a secret. */
export const databaseUrl: Parse<Secret> = (text, report) => {
  try {
    parseDatabaseUrl(text);
    return new Secret(text);
  } catch (error) {
    return report((error as Error).message);
  }
};

/** @returns an address for each replica. @throws Error that says what is wrong, without any part of the address */
const splitHosts = (text: string): readonly string[] => {
  if (/[?&]target_session_attrs=/.test(text))
    throw new Error('has target_session_attrs: leave it out, every host that is a standby is read from.');
  const { urls, options } = parseDatabaseUrl(text);
  if (options === '') return urls;
  return urls.map((url) => `${url}${url.includes('?') ? '&' : '?'}options=${encodeURIComponent(options)}`);
};

/** Addresses of replicas, separated by white space, each with one host or several; in the result, each has one. */
export const replicaUrls: Parse<readonly Secret[]> = (text, report) => {
  try {
    return text.split(/\s+/).flatMap((one) => splitHosts(one).map((url) => new Secret(url)));
  } catch (error) {
    return report((error as Error).message);
  }
};
