import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { JSONParser } from '@streamparser/json';
import { Compile } from 'typebox/compile';
import { type DescribedChannel, fromPublic, PublicChannel } from '../../ingest/file/channel-file.js';

const validator = Compile(PublicChannel);

/** Bytes that are parsed before other work of the process has its turn. */
const PIECE = 16 * 1024;
/** Brackets, names and values of one channel: real ones have about a hundred, in less than a kilobyte. */
const MAX_ITEM_TOKENS = 5000;
/** Pieces in which no channel ends. */
const MAX_EMPTY_PIECES = 8;
/** Clients have 100,000 channels or more. */
const MAX_CHANNELS = 1_000_000;

/** What a list has, besides its valid channels. */
export interface ListSummary {
  /** Ids of all items that have one, also of those that are invalid otherwise. */
  readonly ids: ReadonlySet<string>;
  /** Valid channels. */
  readonly size: number;
  readonly invalid: number;
  readonly duplicates: number;
}

const NO_CHANNEL = 'The list has something that is no channel.';

const idOf = (item: unknown): string | undefined => {
  const id = (item as { id?: unknown } | null)?.id;
  return typeof id === 'string' ? id : undefined;
};

/**
 * A list has 60 MB or more, so its items are never in memory all at once.
 * @throws Error for what is no list of channels: the parser would have it in memory as a whole, and is slow in deep
 *   documents and long numbers
 */
async function* itemsOf(body: Buffer, signal: AbortSignal): AsyncGenerator<readonly unknown[]> {
  let items: unknown[] = [];
  const parser = new JSONParser({ paths: ['$.result.channels.*'], keepStack: false });
  let tokens = 0;
  let count = 0;
  let empty = 0;
  parser.onToken = () => {
    if (++tokens > MAX_ITEM_TOKENS) throw new Error(NO_CHANNEL);
  };
  parser.onValue = ({ value }) => {
    if (++count > MAX_CHANNELS) throw new Error(`The list has more than ${MAX_CHANNELS} channels.`);
    tokens = 0;
    items.push(value);
  };
  for (let start = 0; start < body.length; start += PIECE) {
    parser.write(body.subarray(start, start + PIECE));
    empty = items.length === 0 ? empty + 1 : 0;
    if (empty > MAX_EMPTY_PIECES) throw new Error(NO_CHANNEL);
    yield items;
    items = [];
    await yieldToOthers();
    signal.throwIfAborted();
  }
  if (!parser.isEnded) throw new Error('The list is not valid JSON, or ends early.');
}

const isValid = (item: unknown): item is PublicChannel =>
  validator.Check(item) && !Number.isNaN(new Date(item.createdAt).getTime());

/**
 * Reads the list of all channels as the client sent it.
 * @param body `{"result": {"channels": [...]}}`; an invalid item is skipped, and so is one whose id was listed before
 * @throws Error for other JSON or none; the reason of `signal` when that is aborted
 */
export const summarizeList = async (body: Buffer, signal: AbortSignal): Promise<ListSummary> => {
  const ids = new Set<string>();
  const valid = new Set<string>();
  let invalid = 0;
  let duplicates = 0;
  for await (const items of itemsOf(body, signal)) {
    for (const item of items) {
      const id = idOf(item);
      if (id !== undefined) ids.add(id);
      if (!isValid(item)) invalid++;
      else if (valid.has(item.id)) duplicates++;
      else valid.add(item.id);
    }
  }
  return { ids, size: valid.size, invalid, duplicates };
};

/**
 * Reads the valid channels of a list that `summarizeList` has read before.
 * @param now when the list came
 * @returns the channels in the order of the list, `count` at a time; of the last ones there may be fewer
 */
export async function* channelsOf(
  body: Buffer,
  { now, count, signal }: { readonly now: Date; readonly count: number; readonly signal: AbortSignal },
): AsyncGenerator<readonly DescribedChannel[]> {
  const seen = new Set<string>();
  let channels: DescribedChannel[] = [];
  for await (const items of itemsOf(body, signal)) {
    for (const item of items) {
      if (!isValid(item) || seen.has(item.id)) continue;
      seen.add(item.id);
      channels.push(fromPublic(item, now, 'client'));
      if (channels.length < count) continue;
      yield channels;
      channels = [];
    }
  }
  if (channels.length > 0) yield channels;
}
