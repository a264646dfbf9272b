import { expect, test } from 'vitest';
import type { ChainClient } from '../network.js';
import { atMost, firstUnsettled, indexLogs } from './log-indexer.js';
import { LogRange } from './log-range.js';

const signal = new AbortController().signal;

/** Searches a chain of 101 blocks whose endpoint accepts so many at once. @returns the ranges that were stored */
const search = async (accepted: number, place: { from: number; low: number }, most = 100, wantsPast = () => true) => {
  const range = new LogRange({} as ChainClient, { span: 8, maxSpan: 64 });
  const stored: string[] = [];
  const isThrough = await indexLogs<string>({
    ...{ range, signal, head: 100, wantsPast, ...place },
    mayGoOn: atMost(most),
    read: async ({ first, last }) => {
      const blocks = last - first + 1;
      if (blocks > accepted && range.shrink(blocks)) return undefined;
      return `${first}-${last}`;
    },
    store: async (found, { isNew }) => void stored.push(`${isNew ? 'new' : 'past'} ${found}`),
  });
  return { stored, isThrough };
};

test('new blocks are searched upwards, then past ones downwards, in ranges that grow', async () => {
  expect(await search(64, { from: 90, low: 80 })).toEqual({
    stored: ['new 90-97', 'new 98-100', 'past 64-79', 'past 32-63', 'past 0-31'],
    isThrough: true,
  });
});

test('a range that is too large is searched in parts', async () => {
  expect((await search(5, { from: 96, low: 0 })).stored).toEqual(['new 96-100']);
  expect((await search(2, { from: 96, low: 0 })).stored).toEqual(['new 96-96', 'new 97-98', 'new 99-100']);
});

test('a round ends with what it may do, and when no past blocks are wanted', async () => {
  expect(await search(64, { from: 90, low: 80 }, 2)).toEqual({ stored: ['new 90-97', 'new 98-100'], isThrough: false });
  const { stored, isThrough } = await search(64, { from: 101, low: 80 }, 9, atMost(1));
  expect([stored, isThrough]).toEqual([['past 72-79'], true]);
});

test('the last 32 blocks that were searched are read again', () => {
  expect([firstUnsettled(0, 100), firstUnsettled(80, 100), firstUnsettled(0, 10)]).toEqual([69, 80, 0]);
});

test('a search that is aborted stores nothing', async () => {
  const ended = AbortSignal.abort(new Error('the service stops'));
  const range = new LogRange({} as ChainClient, { span: 8, maxSpan: 64 });
  const nothing = async () => {
    throw new Error('not expected');
  };
  const round = indexLogs({
    ...{ range, signal: ended, head: 9, from: 0, low: 0 },
    mayGoOn: () => true,
    read: nothing,
    store: nothing,
  });
  await expect(round).rejects.toThrow('the service stops');
});
