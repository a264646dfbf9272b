import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEVELOPMENT_KEY_FILES } from '../config/development-secret.js';
import type { Environment } from '../config/env.js';
import { AppError } from '../error.js';
import { type Call, contentOf, parseBody, urlOf } from '../mcp/call.js';
import { VERSION } from '../version.js';

/** Longer than the service takes for any operation. */
const TIMEOUT_MS = 90_000;

/** @returns the key of the environment, else the one that a development service has left in its data folder */
const readKey = async (environment: Environment): Promise<string> => {
  const { CASTELLAN_API_KEY: given, CASTELLAN_DATA_DIR: folder = 'data' } = environment;
  if (given !== undefined && given !== '') return given;
  const generated = await readFile(join(folder, DEVELOPMENT_KEY_FILES.apiKey), 'utf8').catch(() => '');
  if (generated.trim() !== '') return generated.trim();
  throw new AppError('invalid', 'InvalidField', 'Set CASTELLAN_API_KEY to the key that the tools should use.');
};

/** @throws AppError for an address that is none, or that would not be a service's */
const readAddress = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new AppError('invalid', 'InvalidField', `${text} is not the address of a service, like http://127.0.0.1:3000.`);
};

/** @returns a function that calls a service with a key */
const createCall = (service: URL, key: string): Call => {
  const base = service.href.replace(/\/+$/, '');
  return async (request) => {
    const { headers, payload } = contentOf(request);
    const response = await fetch(`${base}${urlOf(request)}`, {
      method: request.method,
      headers: { ...headers, 'x-api-key': key },
      // The key is for this service alone.
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(payload !== undefined && { body: payload }),
    });
    return { status: response.status, body: parseBody(await response.text()) };
  };
};

/** Requests that fail for a lack of the scope alone, before anything else of them is looked at. */
const PROBES = {
  read: { method: 'GET', path: '/v2/social/user/bulk/' },
  write: { method: 'DELETE', path: '/v2/social/cast/', body: {} },
  webhook: { method: 'GET', path: '/v2/social/webhook/' },
} as const;

/**
 * Finds out what a key may do by requests that are invalid on purpose, and so change nothing.
 * @throws AppError for a key that does not work, and the network's error
 */
const findScopes = async (call: Call): Promise<Set<string>> => {
  const scopes = new Set<string>();
  for (const [scope, request] of Object.entries(PROBES)) {
    const { status, body } = await call(request);
    const { code, message } = (body ?? {}) as { readonly code?: string; readonly message?: string };
    if (status === 401 && code !== 'InsufficientScope')
      throw new AppError('unauthorized', 'Unauthorized', message ?? 'The service does not take this key.');
    if (status !== 401 && status !== 403) scopes.add(scope);
  }
  return scopes;
};

/**
 * Serves the tools of a service to a client that has started this process. Only messages of the protocol go to standard
 * output.
 * @throws AppError for a service that does not answer, and a key that it does not take
 */
export const runMcp = async (address: string, environment: Environment): Promise<void> => {
  const service = readAddress(address);
  const call = createCall(service, await readKey(environment));
  const scopes = await findScopes(call).catch((error: unknown) => {
    if (error instanceof AppError) throw error;
    throw new AppError('unavailable', 'Unavailable', `No service answers at ${service.origin}.`, { cause: error });
  });
  const failed = (error: unknown): void =>
    void process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  const { serveMcpStdio } = await import('../mcp/serve-stdio.js');
  serveMcpStdio({ version: VERSION, call, scopes, failed });
};
