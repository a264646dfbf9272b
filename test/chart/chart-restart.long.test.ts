import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildProgram, freePort, TestWorkspace } from '../support/castellan.js';
import { type Container, podsOf, render, withoutHelm } from './helm.js';

/** What the image and the Secret add to the variables of a container. */
const secret = { CASTELLAN_MASTER_KEY: randomBytes(32).toString('hex') };

describe.skipIf(process.env.TEST_DATABASE_URL === undefined || withoutHelm)(
  'processes of the chart (skipped without TEST_DATABASE_URL or npm ci --prefix test/chart/programs)',
  () => {
    const work = new TestWorkspace();
    let store: Record<string, string>;
    beforeAll(async () => {
      await buildProgram();
      store = await work.newStore();
    }, 60_000);
    afterAll(() => work.clear());

    /** Variables of a container, with those that this machine has in place of the cluster's. */
    const variablesOf = async ({ env }: Container, metricsPort: number): Promise<Record<string, string>> => ({
      ...Object.fromEntries(env.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]))),
      ...secret,
      DATABASE_URL: store.DATABASE_URL as string,
      CASTELLAN_DATA_DIR: store.CASTELLAN_DATA_DIR as string,
      CASTELLAN_VERIFY_THREADS: '1',
      CASTELLAN_HUB_URL: `grpc://127.0.0.1:${await freePort()}`,
      CASTELLAN_METRICS_HOST: '127.0.0.1',
      CASTELLAN_METRICS_PORT: String(metricsPort),
      PORT: String(await freePort()),
      CASTELLAN_CRAWL: '0',
    });

    test.each(['production', 'small'])(
      '%s: the job migrates, then probes pass and pods end with 0',
      async (example) => {
        const pods = podsOf(await render(example));
        const isJob = ({ name }: { name: string }): boolean => name.endsWith('-migration');
        const [migration] = pods.filter(isJob).map(({ spec }) => spec.containers[0]);
        const migrated = work.start(
          (migration as Container).args,
          await variablesOf(migration as Container, await freePort()),
        );
        expect((await migrated.ended).code).toBe(0);
        for (const { name, spec } of pods.filter((pod) => !isJob(pod))) {
          const [container] = spec.containers;
          const port = await freePort();
          const started = work.start(container.args, await variablesOf(container, port));
          await started.shows('"msg":"ready"');
          for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const) {
            const { path, port: named } = container[probe]?.httpGet ?? {};
            expect.soft(named, `${name} ${probe}`).toBe('metrics');
            expect.soft((await fetch(`http://127.0.0.1:${port}${path}`)).status, `${name} ${probe}`).toBe(200);
          }
          started.child.kill('SIGTERM');
          expect.soft((await started.ended).code, name).toBe(0);
        }
      },
      120_000,
    );
  },
);
