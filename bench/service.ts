import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { builtFile, defaultCheckout } from './build-import.js';

export const ENTRY = 'cli/main.js';
/** The same for all services: those that share a database have one default key, that of the last start. */
const API_KEY = randomBytes(24).toString('hex');
const START_MS = 60_000;
const STOP_MS = 60_000;
/** Timeout for the jobs that run at the start. */
const REST_MS = 120_000;
const REST_POLL_MS = 1_000;
/** Share of a core below which a service counts as idle. */
const AT_REST = 0.15;

/** The production service in a separate process, on loopback. */
export interface Service {
  readonly pid: number;
  readonly port: number;
  /** Of the metrics and the health. */
  readonly metricsPort: number;
  readonly apiKey: string;
  /** Resident bytes and seconds of processor time so far, from `/metrics`. */
  usage(): Promise<{ readonly bytes: number; readonly cpuSeconds: number }>;
  /** Stops its process where it stands, so that it takes nothing from another that is measured. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

export const freePort = (): Promise<number> =>
  new Promise((done, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });

const metric = (text: string, name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);

/** @returns what reads the memory and the processor time of a service from its metrics */
export const usageAt =
  (metricsPort: number): Service['usage'] =>
  async () => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    return {
      bytes: metric(text, 'process_resident_memory_bytes'),
      cpuSeconds: metric(text, 'process_cpu_seconds_total'),
    };
  };

const untilReady = async (child: ChildProcess, port: number): Promise<void> => {
  const until = performance.now() + START_MS;
  while (performance.now() < until) {
    if (child.exitCode !== null) throw new Error(`castellan serve ended with code ${child.exitCode}`);
    const response = await fetch(`http://127.0.0.1:${port}/health/live`).catch(() => undefined);
    if (response?.ok) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`castellan serve does not answer after ${START_MS / 1000} s`);
};

/** Waits until the service was idle twice in a row. */
const waitUntilIdle = async (usage: Service['usage']): Promise<void> => {
  const until = performance.now() + REST_MS;
  let last = { at: performance.now(), ...(await usage()) };
  for (let quiet = 0; quiet < 2 && performance.now() < until; ) {
    await new Promise((done) => setTimeout(done, REST_POLL_MS));
    const now = { at: performance.now(), ...(await usage()) };
    const share = (1000 * (now.cpuSeconds - last.cpuSeconds)) / (now.at - last.at);
    quiet = share < AT_REST ? quiet + 1 : 0;
    last = now;
  }
};

/**
 * @param environment location of the data, and settings that differ from the defaults
 * @param flags for Node itself
 * @param profile `dev` for settings that production rejects
 * @param checkout whose build runs
 */
export const startService = async (
  environment: Readonly<Record<string, string>>,
  flags: readonly string[],
  profile: 'serve' | 'dev' = 'serve',
  checkout = defaultCheckout(),
): Promise<Service> => {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const command = profile === 'dev' ? [profile, '--no-sample'] : [profile];
  const child = spawn(process.execPath, [...flags, builtFile(checkout, ENTRY), ...command], {
    // The greeting of `dev` is not needed.
    stdio: ['ignore', profile === 'dev' ? 'ignore' : 'inherit', 'inherit'],
    env: {
      PATH: process.env.PATH ?? '',
      PORT: String(port),
      CASTELLAN_METRICS_PORT: String(metricsPort),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      CASTELLAN_API_KEY: API_KEY,
      CASTELLAN_MASTER_KEY: randomBytes(32).toString('hex'),
      CASTELLAN_HUB_NETWORK: 'devnet',
      CASTELLAN_EMBEDDED: 'true',
      CASTELLAN_LOG_LEVEL: 'warn',
      CASTELLAN_RATE_LIMIT_PER_MINUTE: '0',
      ...environment,
    },
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((done) => child.once('exit', done));
    child.kill('SIGCONT');
    child.kill('SIGTERM');
    const late = setTimeout(() => {
      process.stderr.write(`castellan serve did not end within ${STOP_MS / 1000} s of SIGTERM and is killed\n`);
      child.kill('SIGKILL');
    }, STOP_MS);
    await gone;
    clearTimeout(late);
  };
  const usage = usageAt(metricsPort);
  try {
    await untilReady(child, port);
    await waitUntilIdle(usage);
  } catch (error) {
    await stop();
    throw error;
  }
  const pause = (): void => void child.kill('SIGSTOP');
  const resume = (): void => void child.kill('SIGCONT');
  return { pid: child.pid as number, port, metricsPort, apiKey: API_KEY, usage, pause, resume, stop };
};
