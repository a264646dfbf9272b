import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bareHex } from '../src/hex.js';
import type { Signed } from '../src/sample/signed-message.js';
import { type HubFlow, hex, startHubFlow } from './support/hub-api.js';
import { FIDS } from './support/seed.js';

let hub: HubFlow;
/** Casts of Grace, one a second. */
let casts: Signed[];
beforeAll(async () => {
  hub = await startHubFlow(true);
  casts = Array.from({ length: 8 }, (_, index) => hub.seeded.grace.cast({ text: `cast ${index}` }));
  await hub.submit(casts.map(({ item }) => item));
});
afterAll(() => hub.stop());

const LIST = 'hub-fetch-users-casts';
const list = async (query: string) => (await hub.get(LIST, `/v1/castsByFid?fid=${FIDS.grace}&${query}`)).body;
const textsOf = ({ messages }: { messages: { data: { castAddBody: { text: string } } }[] }): string[] =>
  messages.map(({ data }) => data.castAddBody.text).filter((text) => text.startsWith('cast '));

test('parameters are read in camel case and in snake case', async () => {
  const page = await list('page_size=2');
  expect(page.messages).toHaveLength(2);
  const token = encodeURIComponent(page.nextPageToken);
  expect((await list(`page_size=2&page_token=${token}`)).messages).not.toEqual(page.messages);
  expect(await list(`pageSize=2&pageToken=${token}`)).toEqual(await list(`page_size=2&page_token=${token}`));
  await hub.refused(LIST, `/v1/castsByFid?fid=${FIDS.grace}&page_size=0`, /^pageSize must be/);
  const follows = await hub.get('hub-fetch-user-following', `/v1/linksByFid?fid=${FIDS.bob}&linkType=follow`);
  expect(follows.body.messages.length).toBeGreaterThan(0);
});

describe('times of messages', () => {
  const time = (index: number): number => (casts[index] as Signed).timestamp;

  test.each(['', 'reverse=true&'])('both bounds belong to the list (%s)', async (order) => {
    const wanted = ['cast 2', 'cast 3', 'cast 4', 'cast 5'];
    const expected = order === '' ? wanted : wanted.toReversed();
    const bounds = `${order}startTimestamp=${time(2)}&stopTimestamp=${time(5)}`;
    expect(textsOf(await list(bounds))).toEqual(expected);
    const pages: string[] = [];
    let token = '';
    do {
      const page = await list(`${bounds}&pageSize=3&pageToken=${encodeURIComponent(token)}`);
      pages.push(...textsOf(page));
      token = page.nextPageToken;
    } while (token !== '');
    expect(pages).toEqual(expected);
  });

  test('one bound is enough, and of none the list is empty', async () => {
    expect(textsOf(await list(`start_timestamp=${time(6)}`))).toEqual(['cast 6', 'cast 7']);
    expect(textsOf(await list(`reverse=1&startTimestamp=${time(6)}`))).toEqual(['cast 7', 'cast 6']);
    expect(textsOf(await list(`stopTimestamp=${time(1)}`))).toEqual(['cast 0', 'cast 1']);
    expect(await list(`startTimestamp=${time(5)}&stopTimestamp=${time(4)}`)).toEqual({
      messages: [],
      nextPageToken: '',
    });
    await hub.refused(LIST, `/v1/castsByFid?fid=${FIDS.grace}&stopTimestamp=-1`, /^stopTimestamp must be/);
  });
});

test('a hash is read with and without 0x', async () => {
  const { hash } = casts[0] as Signed;
  const find = async (text: string) =>
    (await hub.get('hub-lookup-cast-by-hash-and-fid', `/v1/castById?fid=${FIDS.grace}&hash=${text}`)).body;
  expect(await find(bareHex(hash))).toEqual(await find(hex(hash)));
  expect((await find(bareHex(hash))).hash).toBe(hex(hash));
});

test('events come from and before an id, in pages, in both orders, from the only shard', async () => {
  const events = async (query: string) => (await hub.get('hub-fetch-events', `/v1/events?${query}`)).body;
  const idsOf = ({ events: list }: { events: { id: number }[] }): number[] => list.map(({ id }) => id);
  const all = idsOf(await events('from_event_id=0'));
  const [from, before] = [all[3] as number, all[9] as number];
  const range = all.slice(3, 9);
  expect(idsOf(await events(`from_event_id=${from}&stop_id=${before}&shard_index=1`))).toEqual(range);
  expect(idsOf(await events(`from_event_id=${from}&stop_id=${before}&reverse=true`))).toEqual(range.toReversed());
  const newest = await events('page_size=2&reverse=true');
  expect(idsOf(newest)).toEqual(all.slice(-2).toReversed());
  expect(idsOf(await events(`pageSize=2&reverse=true&stop_id=${newest.nextPageEventId}`))).toEqual(
    all.slice(-4, -2).toReversed(),
  );
  await hub.refused('hub-fetch-events', '/v1/events?shard_index=2', /^shard_index must be 1/);
});

test('storage limits say what is used, and what is oldest', async () => {
  const path = `/v1/storageLimitsByFid?fid=${FIDS.grace}`;
  const { limits } = (await hub.get('hub-lookup-user-storage-limit', path)).body;
  const { messages } = await list('');
  expect(limits[0]).toMatchObject({
    name: 'CASTS',
    used: messages.length,
    earliestTimestamp: messages[0].data.timestamp,
    earliestHash: [...Buffer.from(messages[0].hash.slice(2), 'hex')],
  });
  expect(limits.at(-1)).toMatchObject({ name: 'USERNAME_PROOFS', used: 0, earliestTimestamp: 0, earliestHash: [] });
});
