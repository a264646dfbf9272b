import cluster from 'node:cluster';
import { expect, test } from 'vitest';
import { createLog } from '../log.js';
import { Supervisor, WorkerFailedError } from './supervisor.js';

test('a worker whose process cannot be created fails the start, and a stop does not wait for it', async () => {
  cluster.setupPrimary({ cwd: '/there/is/no/such/folder' });
  const supervisor = new Supervisor([{ role: 'api', environment: {} }], createLog('silent'));
  await expect(supervisor.start()).rejects.toBeInstanceOf(WorkerFailedError);
  await supervisor.stop();
}, 10_000);
