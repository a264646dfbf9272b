import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtFile, defaultCheckout } from './build-import.js';
import { ENTRY, freePort, type Service, startService, usageAt } from './service.js';
import type { Row } from './table.js';
import type { Target } from './target.js';

const START_MS = 180_000;
const POLL_MS = 20;
/** V8 gives back the memory of the start. */
const SETTLE_MS = 120_000;
/** The pages of a new sample network are read, too, one a second. */
const FIRST_SETTLE_MS = 300_000;
const REST_MS = 60_000;

interface Development extends Pick<Service, 'usage' | 'stop'> {
  /** Milliseconds from the command until the port answers, and until `/health/ready` does. */
  readonly answersMs: number;
  readonly readyMs: number;
}

const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Starts `castellan dev` as a newcomer does: with the sample network and the local chain. */
const startDevelopment = async (folder: string, flags: readonly string[]): Promise<Development> => {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const began = performance.now();
  const child = spawn(process.execPath, [...flags, builtFile(defaultCheckout(), ENTRY), 'dev'], {
    stdio: ['ignore', 'ignore', 'ignore'],
    env: {
      PATH: process.env.PATH ?? '',
      PORT: String(port),
      CASTELLAN_METRICS_PORT: String(metricsPort),
      CASTELLAN_DATA_DIR: folder,
    },
  });
  const ended = new Promise((done) => child.once('exit', done));
  const untilOk = async (path: string): Promise<number> => {
    for (;;) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
      if (response?.ok) return performance.now() - began;
      if (child.exitCode !== null) throw new Error(`castellan dev ended with code ${child.exitCode}`);
      if (performance.now() - began > START_MS)
        throw new Error(`castellan dev is not ready after ${START_MS / 1000} s`);
      await sleep(POLL_MS);
    }
  };
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  try {
    const answersMs = await untilOk('/health/live');
    return { answersMs, readyMs: await untilOk('/health/ready'), usage: usageAt(metricsPort), stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

const limitRow = (what: string, measured: string, value: number, most: number, limit: string): Row => ({
  what,
  measured,
  target: { text: `<= ${limit}`, isMet: value <= most },
});

/** Memory, and share of a core in a minute, after a while in which nobody used the service. */
const restRows = async (
  name: string,
  usage: Service['usage'],
  most: { readonly bytes: number; readonly share: number; readonly settleMs?: number },
): Promise<Row[]> => {
  await sleep(most.settleMs ?? SETTLE_MS);
  const before = await usage();
  await sleep(REST_MS);
  const { bytes, cpuSeconds } = await usage();
  const share = (1000 * (cpuSeconds - before.cpuSeconds)) / REST_MS;
  const percent = (part: number): string => `${(100 * part).toFixed(1)}%`;
  return [
    limitRow(`${name} at rest, memory`, megabytes(bytes), bytes, most.bytes, megabytes(most.bytes)),
    limitRow(`${name} at rest, share of a core`, percent(share), share, most.share, percent(most.share)),
  ];
};

const DEVELOPMENT = { bytes: 350e6, share: 0.015 };
const SERVER = { bytes: 500e6, share: 0.01 };

/** Measures starts of the development service, and services that nobody uses. */
export const measureRest = async (target: Target, flags: readonly string[]): Promise<Row[]> => {
  const folder = await mkdtemp(join(tmpdir(), `castellan-rest-${randomBytes(4).toString('hex')}-`));
  const rows: Row[] = [];
  try {
    for (const [name, mostMs, settleMs] of [
      ['first', 10_000, FIRST_SETTLE_MS],
      ['second', 3_000, SETTLE_MS],
    ] as const) {
      const service = await startDevelopment(join(folder, 'data'), flags);
      const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
      rows.push({ what: `dev, ${name} start, until it answers`, measured: seconds(service.answersMs) });
      const { readyMs } = service;
      rows.push(limitRow(`dev, ${name} start, until it is ready`, seconds(readyMs), readyMs, mostMs, seconds(mostMs)));
      rows.push(...(await restRows(`dev, ${name} start,`, service.usage, { ...DEVELOPMENT, settleMs })));
      await service.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const service = await startService(target.environment, flags);
  rows.push(...(await restRows('serve', service.usage, SERVER)));
  await service.stop();
  return rows;
};
