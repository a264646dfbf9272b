import { afterAll, beforeAll, expect, test } from 'vitest';
import { FakeHub } from '../support/fake-hub.js';
import { startNetwork } from '../support/network.js';
import { caseList } from './case-list.js';
import { startWriteWorld, type WriteWorld } from './write-environment.js';

let hub: FakeHub;
let world: WriteWorld;
let release: () => void = () => undefined;
beforeAll(async () => {
  hub = new FakeHub([1]);
  await hub.start();
  world = await startWriteWorld((environment) =>
    startNetwork({ ...environment, HUB_URL: hub.address.address, WRITE_TIMEOUT_SECONDS: '2' }),
  );
  hub.gates.submitMessage = new Promise((resolve) => {
    release = resolve;
  });
});
afterAll(async () => {
  release();
  await world.stop();
  hub.stop();
});

const writes = caseList.write.filter(({ late }) => late !== undefined);

test('whatever is written is tried, but for what waits for a chain', () => {
  const listed = world.described.filter(({ statuses }) => statuses.includes(504)).map(({ id }) => id);
  expect([...writes.map(({ id }) => id), 'deploy-erc721'].sort()).toEqual([...listed].sort());
});

test('a hub that is silent leaves the outcome of every write open, and the answer says so', async () => {
  world.recorder.take();
  await Promise.allSettled(writes.map(({ late }) => late?.(world.clients(), world)));
  const answers = world.recorder.take();
  expect(answers).toHaveLength(writes.length);
  for (const { method, path, status, answer } of answers) {
    const described = world.described.find((one) => one.method === method && one.path === path);
    expect([path, status, described?.faultsOf(status, answer)]).toEqual([path, 504, []]);
    expect([path, answer]).toMatchObject([
      path,
      { code: 'GatewayTimeout', message: expect.stringContaining('unknown') },
    ]);
  }
});
