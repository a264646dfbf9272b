import { HubEventType } from '@farcaster/core';
import { cases, list } from './front.js';
import { ONE_SHARD } from './reason.js';
import { newestId, readStream, showStream } from './stream.js';

const { MERGE_MESSAGE, PRUNE_MESSAGE } = HubEventType;
const NO_OTHER_SHARD = 'INVALID_ARGUMENT bad_request.invalid_param';

export const SNAPCHAIN_EVENT = cases({
  peer: 'snapchain',
  file: 'server_tests.rs',
  id: 'snapchain-event',
  over: 'grpc',
  state: async (front) => {
    const [alice, last] = [await front.account('alice', 10), await front.account('last', 10)];
    const start = (await newestId(front)) + 1;
    const ids: number[] = [];
    for (let n = 0; n < 10; n++) {
      await front.write({ [String(n)]: alice.cast({ text: `number ${n}` }) });
      ids.push(await newestId(front));
    }
    const idOf = (n: number): number => ids[n] as number;
    const write = (count: number) => async () => {
      for (let n = 0; n < count; n++) await front.write({ more: alice.cast({ text: `more ${n}` }) });
    };
    return { front, alice, last, start, idOf, write };
  },
  rows: [
    {
      title: 'stored events and those that happen meanwhile, in the first shard: 10 and 5',
      theirs: '15 events',
      other: null,
      call: 'subscribe',
      run: async ({ front, last, start, write }) => {
        const request = { fromId: start, shardIndex: 1, eventTypes: [MERGE_MESSAGE] };
        return `${(await readStream(front, last, request, write(5))).length} events`;
      },
    },
    {
      title: 'events of a second shard',
      theirs: '30 events',
      ours: '3 Invalid shard id: shard_index must be 1, the only shard here',
      other: null,
      reason: ONE_SHARD,
      call: 'subscribe',
      run: ({ front }) =>
        new Promise((resolve) => {
          const stream = front.client.subscribe({ fromId: 0, shardIndex: 2 }, { 'x-api-key': front.network.apiKey });
          stream.once('status', ({ code, details }) => resolve(`${code} ${details}`));
        }),
    },
    {
      title: 'events of one type',
      theirs: '[9]',
      other: null,
      call: 'subscribe',
      run: async ({ front, last, alice, idOf }) => {
        const request = { fromId: idOf(9), shardIndex: 1, eventTypes: [MERGE_MESSAGE] };
        const events = await readStream(front, last, request, () => front.store(alice.rent(1)));
        return list(events.slice(0, 1).map((event) => front.labels.hubEvent(event)));
      },
    },
    {
      title: 'events of a type that did not happen',
      theirs: '0 events',
      other: null,
      call: 'subscribe',
      run: async ({ front, start }) => {
        const stream = front.client.subscribe(
          { fromId: start, shardIndex: 1, eventTypes: [PRUNE_MESSAGE] },
          { 'x-api-key': front.network.apiKey },
        );
        let count = 0;
        stream.on('data', () => count++);
        await new Promise((resolve) => stream.once('metadata', resolve));
        const other = await front.account('other');
        await readStream(front, other, { fromId: start });
        stream.cancel();
        return `${count} events`;
      },
    },
    {
      title: 'an event with its number of block, its shard and its type',
      theirs: 'block of its id, shard 1',
      other: null,
      call: 'getEvent',
      run: async ({ front, idOf }) => {
        const show = ({ id, blockNumber, shardIndex }: { id: number; blockNumber: number; shardIndex: number }) =>
          Math.floor(id / 16_384) === blockNumber ? `block of its id, shard ${shardIndex}` : `block ${blockNumber}`;
        return front.ask({ name: 'getEvent', request: { id: idOf(3), shardIndex: 1 }, show }, 'grpc');
      },
    },
    {
      title: 'an id that no event has',
      theirs: 'INTERNAL',
      ours: 'NOT_FOUND',
      reason: 'INTERNAL blames the service. The words of snapchain are the same: Event not found.',
      call: 'getEvent',
      request: () => ({ id: 99_999, shardIndex: 1 }),
    },
    {
      title: 'an event of a shard that does not exist',
      theirs: 'INVALID_ARGUMENT',
      other: '3',
      reason: 'Over HTTP the contract has no shard here: an event is found by its id.',
      call: 'getEvent',
      request: ({ idOf }) => ({ id: idOf(3), shardIndex: 999 }),
    },
    {
      title: 'an event of no particular shard',
      theirs: 'INVALID_ARGUMENT',
      ours: '3',
      reason: `${ONE_SHARD} So an id is enough.`,
      call: 'getEvent',
      request: ({ idOf }) => ({ id: idOf(3), shardIndex: 0 }),
    },
    {
      title: 'a page of three events',
      theirs: '[0, 1, 2]',
      call: 'getEvents',
      request: ({ start }) => ({ startId: start, pageSize: 3 }),
    },
    {
      title: 'the page after it',
      theirs: '[3, 4, 5]',
      other: null,
      call: 'getEvents',
      run: ({ front, start }) => {
        const request = { startId: start, pageSize: 3 };
        return front.ask({ name: 'getEvents', request, next: request }, 'grpc');
      },
    },
    {
      title: 'events of another shard, which has none',
      theirs: '[]',
      ours: NO_OTHER_SHARD,
      reason: ONE_SHARD,
      call: 'getEvents',
      request: ({ start }) => ({ startId: start, shardIndex: 2, pageSize: 3 }),
    },
    {
      title: 'from the third to before the ninth, the latest first: six',
      theirs: '[7, 6, 5, 4, 3, 2]',
      call: 'getEvents',
      request: ({ idOf }) => ({ startId: idOf(2), stopId: idOf(8), shardIndex: 1, pageSize: 7, reverse: true }),
    },
    {
      title: 'a stream: each event has the time of its block',
      theirs: 'a time',
      other: null,
      call: 'subscribe',
      run: async ({ front, last, start }) => {
        const events = await readStream(front, last, { fromId: start, eventTypes: [MERGE_MESSAGE] });
        return events.every(({ timestamp }) => timestamp > 0) ? 'a time' : showStream(front, events);
      },
    },
    {
      title: 'a list: each event has the time that it has in the stream',
      theirs: 'the same times',
      other: null,
      call: 'getEvents',
      run: async ({ front, last, start }) => {
        const events = await readStream(front, last, { fromId: start });
        const times = events.map(({ timestamp }) => timestamp);
        const show = (body: { events: { timestamp: number }[] }) => {
          const listed = body.events.map(({ timestamp }) => timestamp);
          return JSON.stringify(listed) === JSON.stringify(times) ? 'the same times' : 'other times';
        };
        return front.ask({ name: 'getEvents', request: { startId: start, pageSize: times.length }, show }, 'grpc');
      },
    },
    {
      title: 'one event: it has the time that it has in the stream',
      theirs: 'the same time',
      other: null,
      call: 'getEvent',
      run: async ({ front, last, idOf }) => {
        const [event] = await readStream(front, last, { fromId: idOf(4) });
        const show = ({ timestamp }: { timestamp: number }) =>
          timestamp === event?.timestamp ? 'the same time' : 'another time';
        return front.ask({ name: 'getEvent', request: { id: idOf(4), shardIndex: 1 }, show }, 'grpc');
      },
    },
  ],
});
