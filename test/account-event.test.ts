import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AccountNetwork, newPerson, startAccountNetwork, transferBody } from './support/account.js';
import { openStream, type StreamClient } from './support/event-stream.js';
import { fidOf } from './support/registry.js';

let fixture: AccountNetwork;
let stream: StreamClient;
beforeAll(async () => {
  fixture = await startAccountNetwork();
  const { network } = fixture;
  const query = new URLSearchParams({ subscription: JSON.stringify({ 'user.created': {}, 'user.updated': {} }) });
  stream = await openStream(`${network.url}/v2/social/stream/?${query}`, { 'x-api-key': network.apiKey });
});
afterAll(async () => {
  stream?.close();
  await fixture.stop();
});

const created = (): number[] =>
  stream.events.filter(({ type }) => type === 'user.created').map(({ data }) => data.fid as number);

test('an account of the reserve is announced when a person takes it over', async () => {
  const { chain, headers, network } = fixture;
  expect(stream.status).toBe(200);
  const { body: reserved } = await network.get('/v2/social/user/fid/', headers);
  const fid = reserved.fid as number;
  // Events come in the order of the log, so what is before this one has been announced or left out.
  const person = newPerson();
  await fixture.registerOnchain({}, person);
  const own = Number(await fidOf(chain, person.address));
  await expect.poll(created, { timeout: 10_000 }).toContain(own);
  expect(created()).not.toContain(fid);
  const { status } = await network.send(
    'POST',
    '/v2/social/user/',
    await transferBody(chain, fid, newPerson()),
    headers,
  );
  expect(status).toBe(200);
  await expect.poll(created, { timeout: 10_000 }).toEqual([own, fid]);
});
