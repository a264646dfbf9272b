import { afterAll, beforeAll, expect, test } from 'vitest';
import { FakeHub } from '../support/fake-hub.js';
import { startNetwork } from '../support/network.js';
import { caseList } from './case-list.js';
import { startWriteEnvironment, type WriteEnvironment } from './write-environment.js';

let hub: FakeHub;
let environment: WriteEnvironment;
let release: () => void = () => undefined;
beforeAll(async () => {
  hub = new FakeHub([1]);
  await hub.start();
  environment = await startWriteEnvironment((environment) =>
    startNetwork({ ...environment, CASTELLAN_HUB_URL: hub.address.address, CASTELLAN_WRITE_TIMEOUT_SECONDS: '2' }),
  );
  hub.gates.submitMessage = new Promise((resolve) => {
    release = resolve;
  });
});
afterAll(async () => {
  release();
  await environment.stop();
  hub.stop();
});

const writes = caseList.write.filter(({ late }) => late !== undefined);

test('whatever is written is tried, but for what waits for a chain', () => {
  const listed = environment.described.filter(({ statuses }) => statuses.includes(504)).map(({ id }) => id);
  const onChain = ['deploy-erc721', 'buy-storage', 'register-account', 'register-account-onchain'];
  expect([...writes.map(({ id }) => id), ...onChain].sort()).toEqual([...listed].sort());
});

test('a hub that is silent leaves the outcome of every write open, and the answer says so', async () => {
  environment.recorder.take();
  await Promise.allSettled(writes.map(({ late }) => late?.(environment.clients(), environment)));
  const answers = environment.recorder.take();
  expect(answers).toHaveLength(writes.length);
  for (const { method, path, status, answer } of answers) {
    const described = environment.described.find((one) => one.method === method && one.path === path);
    expect([path, status, described?.errorsOf(status, answer)]).toEqual([path, 504, []]);
    expect([path, answer]).toMatchObject([
      path,
      { code: 'GatewayTimeout', message: expect.stringContaining('unknown') },
    ]);
  }
});
