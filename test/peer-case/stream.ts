import { HubEvent, type HubEventType, HubEventType as Type } from '@farcaster/core';
import { expect } from 'vitest';
import { eventIdOf } from '../../src/protocol/event/place.js';
import type { Author } from '../../src/sample/author.js';
import { type Front, list } from './front.js';

export interface StreamRequest {
  readonly eventTypes?: HubEventType[];
  readonly fromId?: number;
  readonly shardIndex?: number;
}

/** @returns the id of the newest event */
export const newestId = async ({ network }: Front): Promise<number> => {
  const [row] = await network.sql<{ id: number }>('select coalesce(max(id), 0) as id from hub_event');
  return eventIdOf(Number(row?.id));
};

let ends = 0;

/** Stores one event that a stream of these types sends. @returns its name, which no other has: the log keeps them all */
const end = async (front: Front, author: Author, types: readonly HubEventType[]): Promise<string> => {
  const name = `end ${++ends}`;
  const isOfChain = types.length === 0 || types.includes(Type.MERGE_ON_CHAIN_EVENT);
  await front.write({ [name]: isOfChain ? author.rent(1) : author.cast({ text: name }) });
  return name;
};

/**
 * Subscribes, runs what happens meanwhile, and reads up to an event that is stored after that.
 * @param author who has that event
 * @returns the events before it
 */
export const readStream = async (
  front: Front,
  author: Author,
  request: StreamRequest,
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<HubEvent[]> => {
  const stream = front.client.subscribe(request, { 'x-api-key': front.network.apiKey });
  const events: HubEvent[] = [];
  let ended: string | undefined;
  stream.on('data', (bytes: Buffer) => {
    const event = HubEvent.decode(bytes);
    // Sent to a stream that was silent for 15 s.
    if (event.type !== Type.BLOCK_CONFIRMED) events.push(event);
  });
  stream.once('status', ({ code, details }) => {
    ended = `${code} ${details}`;
  });
  await new Promise((resolve) => stream.once('metadata', resolve).once('status', resolve));
  await meanwhile();
  const last = await end(front, author, request.eventTypes ?? []);
  const isLast = (event: HubEvent | undefined): boolean => event !== undefined && front.labels.hubEvent(event) === last;
  await expect.poll(() => ended ?? isLast(events.at(-1))).toBe(true);
  stream.cancel();
  return events.slice(0, -1);
};

/** @returns the names of events, from the first of a name on */
export const showStream = (front: Front, events: readonly HubEvent[], from?: string): string => {
  const names = events.map((event) => front.labels.hubEvent(event));
  return list(from === undefined ? names : names.slice(names.lastIndexOf(from)));
};
