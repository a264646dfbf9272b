import { createInterface } from 'node:readline/promises';
import { databaseUrl } from '../../config/database-url.js';
import { UsageError } from '../terminal/command.js';
import { PROXIES, type ReverseProxy, RUNNERS, type Runner, type Setup } from './setup.js';

/** What was given on the command line; the rest is asked for. */
export interface InitOptions {
  readonly domain?: string | undefined;
  readonly database?: string | undefined;
  readonly hub?: string | undefined;
  readonly proxy?: string | undefined;
  readonly run?: string | undefined;
}

/** Asks the user. @returns undefined where nobody can answer */
export type Ask = ((question: string) => Promise<string>) | undefined;

const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/i;

interface Question<Value> {
  readonly option: string;
  readonly text: string;
  /** Taken for an empty answer, and where nobody can answer. */
  readonly fallback?: string;
  /** @returns undefined for an answer that means nothing */
  readonly read: (answer: string) => Value | undefined;
  /** What an answer must be, for the message about another one. */
  readonly form: string;
}

const oneOf =
  <Value extends string>(values: readonly Value[]) =>
  (answer: string): Value | undefined =>
    values.find((value) => value === answer.toLowerCase());

const domain: Question<string> = {
  option: '--domain',
  text: 'Domain by which clients reach the service (castellan.example): ',
  read: (answer) => {
    const name = answer.replace(/^https?:\/\//, '').replace(/\/$/, '');
    return DOMAIN.test(name) ? name.toLowerCase() : undefined;
  },
  form: 'the name of a host, like castellan.example',
};
const run: Question<Runner> = {
  option: '--run',
  text: 'What runs it: systemd, compose (containers, with a database) or none [systemd]: ',
  fallback: 'systemd',
  read: oneOf(RUNNERS),
  form: 'systemd, compose or none',
};
const database: Question<string> = {
  option: '--database',
  text: 'PostgreSQL server (postgres://user:password@host:5432/database): ',
  read: (answer) => databaseUrl(answer, () => undefined)?.reveal(),
  form: 'postgres://user:password@host:5432/database',
};
/** `none` is a hub, too: the service then holds what is submitted to it. */
const hub: Question<string> = {
  option: '--hub',
  text: 'Hub to follow (grpcs://hub.example:2283), or none [none]: ',
  fallback: 'none',
  read: (answer) =>
    /^none$/i.test(answer) ? 'none' : /^grpcs?:\/\/[^/\s]+:\d{1,5}$/.test(answer) ? answer : undefined,
  form: 'grpcs://host:port, grpc://host:port or none',
};
const proxy: Question<ReverseProxy> = {
  option: '--proxy',
  text: 'Reverse proxy with TLS on this machine: caddy, nginx or none [caddy]: ',
  fallback: 'caddy',
  read: oneOf(PROXIES),
  form: 'caddy, nginx or none',
};

/** @throws UsageError for an option that means nothing, or is missing where nobody can be asked */
const answerTo = async <Value>(
  { option, text, fallback, read, form }: Question<Value>,
  given: string | undefined,
  ask: Ask,
): Promise<Value> => {
  const problem = (answer: string) => `${option} takes ${form}, not "${answer}".`;
  if (given !== undefined || !ask) {
    const answer = given ?? fallback;
    if (answer === undefined) throw new UsageError(`${option} is required: ${form}.`);
    const value = read(answer.trim());
    if (value === undefined) throw new UsageError(problem(answer));
    return value;
  }
  for (;;) {
    const answer = (await ask(text)).trim() || fallback;
    const value = answer === undefined ? undefined : read(answer);
    if (value !== undefined) return value;
    process.stderr.write(`Please answer with ${form}.\n`);
  }
};

/** @returns what the installation is made of. @throws UsageError as options of the command line do */
export const readSetup = async (options: InitOptions, ask: Ask): Promise<Setup> => {
  const name = await answerTo(domain, options.domain, ask);
  const runner = await answerTo(run, options.run, ask);
  if (runner === 'compose' && options.database !== undefined)
    throw new UsageError('--database and --run compose exclude each other: compose.yaml brings a database.');
  const databaseUrl = runner === 'compose' ? undefined : await answerTo(database, options.database, ask);
  const hubUrl = await answerTo(hub, options.hub, ask);
  return {
    domain: name,
    databaseUrl,
    hubUrl: hubUrl === 'none' ? undefined : hubUrl,
    proxy: await answerTo(proxy, options.proxy, ask),
    runner,
  };
};

/** @returns a way to ask the person at the terminal, and one to end it; none where there is no terminal */
export const openTerminal = (): { readonly ask: Ask; close(): void } => {
  if (!process.stdin.isTTY) return { ask: undefined, close: () => undefined };
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  return { ask: (question) => terminal.question(question), close: () => terminal.close() };
};
