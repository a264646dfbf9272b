import cluster from 'node:cluster';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../log.js';
import { Supervisor, WorkerFailedError } from './supervisor.js';

test('a worker whose process cannot be created fails the start, and a stop does not wait for it', async () => {
  cluster.setupPrimary({ cwd: '/there/is/no/such/folder' });
  const supervisor = new Supervisor([{ role: 'api', environment: {} }], createLog('silent'));
  await expect(supervisor.start()).rejects.toBeInstanceOf(WorkerFailedError);
  await supervisor.stop();
}, 10_000);

/** A worker that finishes its start although it was told to stop, as one does that migrates the database. */
const SLOW_WORKER = `
  process.on('SIGTERM', () => process.send({ type: 'started' }, undefined, undefined, () => process.exit(0)));
  setInterval(() => undefined, 1_000);
  require('node:fs').writeFileSync(process.env.FORKED, '');
`;

test('a stop while the first worker starts leaves no worker behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'castellan-supervisor-'));
  onTestFinished(async () => {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL');
    await rm(folder, { recursive: true });
  });
  const exec = join(folder, 'worker.cjs');
  await writeFile(exec, SLOW_WORKER);
  cluster.setupPrimary({ cwd: folder, exec, execArgv: [] });
  const forked = ['first', 'second'].map((name) => join(folder, name));
  const plans = forked.map((FORKED) => ({ role: 'api', environment: { FORKED } }));
  const supervisor = new Supervisor(plans, createLog('silent'));
  const start = supervisor.start();
  await expect.poll(() => existsSync(forked[0] as string), { timeout: 10_000 }).toBe(true);
  await supervisor.stop();
  expect(Object.keys(cluster.workers ?? {})).toEqual([]);
  await start;
}, 30_000);
