import type { Config } from '../config/config.js';
import { AppError } from '../error.js';

const PORTS = [
  ['PORT', (config: Config) => config.port],
  ['CASTELLAN_HUB_HTTP_PORT', (config: Config) => config.hubHttpPort],
  ['CASTELLAN_HUB_GRPC_PORT', (config: Config) => config.hubRpc?.port],
  ['CASTELLAN_METRICS_PORT', (config: Config) => config.metrics?.port],
] as const;

/** @returns an error that names the variable to change if the service cannot listen on an address */
export const explainListen = (error: unknown, config: Config): unknown => {
  const { code, port } = error as NodeJS.ErrnoException & { port?: number };
  const variable = PORTS.find(([, portOf]) => port !== undefined && portOf(config) === port)?.[0];
  if (variable === undefined) return error;
  const why = code === 'EADDRINUSE' ? 'another program listens on it' : `the system says ${code}`;
  return new AppError(
    'unavailable',
    'PortTaken',
    `Port ${port} cannot be used: ${why}. Set ${variable} to another one.`,
    { cause: error },
  );
};

export const waitForAbort = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** The longest that a timer can wait, in milliseconds. */
const LONGEST_MS = 2 ** 31 - 1;

/** Keeps the process alive until then: one that listens on no port would end when the database closes its connections. */
export const stayUntilAborted = async (signal: AbortSignal): Promise<void> => {
  const alive = setInterval(() => undefined, LONGEST_MS);
  await waitForAbort(signal);
  clearInterval(alive);
};
