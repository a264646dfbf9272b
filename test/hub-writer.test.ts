import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeByteString } from '../src/protocol/wire/wire.js';
import type { Signed } from '../src/sample/signed-message.js';
import { FakeHub } from './support/fake-hub.js';
import { authors, registration, until } from './support/hub-fixture.js';
import { type Network, startNetwork } from './support/network.js';

let hub: FakeHub;
let network: Network;
const [alice] = authors(41);

beforeAll(async () => {
  hub = new FakeHub([1]);
  await hub.start();
  hub.say(...(await registration(alice)));
  network = await startNetwork({ CASTELLAN_HUB_URL: hub.address.address });
  // The last event of the registration; the account is there before its key.
  await until(async () => {
    const { body } = await network.get('/v2/social/user/bulk/?fids=41');
    expect(body.users).toMatchObject([{ display_name: 'User 41' }]);
  });
});
afterAll(async () => {
  await network.stop();
  hub.stop();
});

const submit = (wire: Uint8Array) =>
  network.send('POST', '/v1/submitMessage', wire, { 'content-type': 'application/octet-stream' });

const hashes = async (): Promise<string[]> =>
  (await network.get('/v1/castsByFid?fid=41')).body.messages.map((message: { hash: string }) => message.hash);

test('a submitted message is sent to the hub and visible in the next request', async () => {
  const cast = alice.cast({ text: 'to the network' });
  const answer = await submit(cast.wire);
  expect(answer.status).toBe(200);
  expect(await hashes()).toEqual([answer.body.hash]);
  expect(hub.state.all().some(({ decoded }) => Buffer.compare(decoded.envelope.hash, cast.hash) === 0)).toBe(true);
});

test('a message rejected by the hub is rejected with its error and not stored', async () => {
  hub.refusal = 'no, thank you';
  const answer = await submit(alice.cast({ text: 'never' }).wire);
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({
    errCode: 'bad_request.validation_failure',
    details: expect.stringContaining('no, thank you'),
  });
  expect(await hashes()).toHaveLength(1);
  hub.refusal = undefined;
});

test('of many messages, one that the hub rejects keeps none of the others from it', async () => {
  const casts = ['one', 'never', 'two'].map((text) => alice.cast({ text }));
  hub.refusal = 'no, thank you';
  hub.refuses = ({ hash }) => Buffer.compare(hash, (casts[1] as Signed).hash) === 0;
  const body = Buffer.concat(casts.map(({ wire }) => encodeByteString(1, wire)));
  const answer = await network.send('POST', '/v1/submitBulkMessages', body, {
    'content-type': 'application/octet-stream',
  });
  expect(answer.status).toBe(200);
  expect(answer.body.messages).toEqual([
    expect.objectContaining({ data: expect.anything() }),
    expect.objectContaining({ errCode: 'bad_request.validation_failure' }),
    expect.objectContaining({ data: expect.anything() }),
  ]);
  expect(await hashes()).toHaveLength(3);
  hub.refusal = undefined;
});

test('submissions fail as unavailable while the hub is unavailable', async () => {
  hub.stop();
  const answer = await submit(alice.cast({ text: 'later' }).wire);
  expect(answer.status).toBe(503);
  await hub.start();
});
