import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { Compile } from 'typebox/compile';
import { type DescribedChannel, fromPublic, PublicChannel } from '../../ingest/file/channel-file.js';
import { itemsOf } from './json-list.js';

const validator = Compile(PublicChannel);

/** Items after which other work of the process has its turn. */
const TURN = 500;

/** The list of all channels as the client sent it, validated. */
export interface ChannelList {
  /** Ids of all items that have one, also of those that are invalid otherwise. */
  readonly ids: ReadonlySet<string>;
  readonly size: number;
  readonly invalid: number;
  readonly duplicates: number;
  /** @returns the valid channels from the place `start` on, `count` at most */
  slice(start: number, count: number): DescribedChannel[];
}

const idOf = (item: unknown): string | undefined => {
  const id = (item as { id?: unknown } | null)?.id;
  return typeof id === 'string' ? id : undefined;
};

/**
 * @param body `{"result": {"channels": [...]}}`; an invalid item is skipped, and so is one whose id was listed before
 * @param now when it was read
 * @throws Error if it is not JSON of this shape; the reason of `signal` when that is aborted
 */
export const readChannelList = async (body: Buffer, now: Date, signal: AbortSignal): Promise<ChannelList> => {
  const ids = new Set<string>();
  const valid = new Set<string>();
  const places: (readonly [number, number])[] = [];
  let invalid = 0;
  let duplicates = 0;
  let count = 0;
  const parse = ([start, end]: readonly [number, number]): unknown => JSON.parse(body.toString('utf8', start, end));
  for (const place of itemsOf(body, 'channels')) {
    const item = parse(place);
    const id = idOf(item);
    if (id !== undefined) ids.add(id);
    if (!validator.Check(item) || Number.isNaN(new Date(item.createdAt).getTime())) {
      invalid++;
    } else if (valid.has(item.id)) {
      duplicates++;
    } else {
      valid.add(item.id);
      places.push(place);
    }
    if (++count % TURN === 0) {
      await yieldToOthers();
      signal.throwIfAborted();
    }
  }
  return {
    ids,
    size: places.length,
    invalid,
    duplicates,
    slice: (start, most) =>
      places.slice(start, start + most).map((place) => fromPublic(parse(place) as PublicChannel, now, 'client')),
  };
};
