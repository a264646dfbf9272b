import Type, { type Static, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { parseJson } from '../../delivery/foreign-json.js';
import type { ChannelClient } from './http.js';

const PAGE_ITEMS = 1000;
/** Items of the documentation's examples have less than 100 bytes. */
const PAGE = { timeoutMs: 20_000, maxBytes: PAGE_ITEMS * 512 } as const;
/** The page size in the example of the client's documentation, for a client that refuses larger ones. */
const SMALL_PAGE_ITEMS = 100;
/** Of a page: an item has two to four members. */
const MAX_VALUES = PAGE_ITEMS * 20;
/** A channel has fewer followers. */
const MAX_ITEMS = 1_000_000;
const MAX_PAGES = MAX_ITEMS / SMALL_PAGE_ITEMS;

const Next = Type.Object({ next: Type.Optional(Type.Object({ cursor: Type.Optional(Type.String()) })) });

/** The parts of Unix time that a Date can hold, in seconds. */
export const Seconds = Type.Number({ minimum: 0, maximum: 253_402_300_799 });
export const Fid = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

export const dateOf = (seconds: number): Date => new Date(Math.round(seconds * 1000));

/** A list about a channel that the client gives in pages. */
export interface PagedList<Item extends TSchema> {
  readonly path: string;
  /** The member of `result` that holds the items. */
  readonly member: string;
  readonly item: Item;
}

const parse = <Item extends TSchema>(body: Buffer, { path, member, item }: PagedList<Item>) => {
  const answer = parseJson(body, MAX_VALUES);
  const shape = Type.Object({ result: Type.Object({ [member]: Type.Array(item) }) });
  if (!Value.Check(shape, answer) || !Value.Check(Next, answer)) {
    throw new Error(`The client's answer to ${path} has another shape than documented.`);
  }
  return { items: (answer.result as Record<string, Static<Item>[]>)[member] ?? [], cursor: answer.next?.cursor };
};

/**
 * Reads all pages of a list about a channel. Rows move between pages while accounts come and go, so an item may occur
 * twice.
 * @throws AppError as `ChannelClient.read`; Error for an answer with another shape and for a cursor that leads back; the
 *   reason of `signal` when that is aborted
 */
export const readPages = async <Item extends TSchema>(
  client: ChannelClient,
  list: PagedList<Item>,
  channelId: string,
  signal: AbortSignal,
): Promise<Static<Item>[]> => {
  const items: Static<Item>[] = [];
  const read = (size: number, cursor: string | undefined): Promise<Buffer> => {
    const query = new URLSearchParams({ channelId, limit: String(size), ...(cursor === undefined ? {} : { cursor }) });
    return client.read(`${list.path}?${query}`, PAGE);
  };
  let cursor: string | undefined;
  let size = PAGE_ITEMS;
  for (let page = 0; page < MAX_PAGES; page++) {
    signal.throwIfAborted();
    const body = await read(size, cursor).catch((error: unknown) => {
      if (page > 0 || (error as { kind?: unknown }).kind !== 'invalid') throw error;
      size = SMALL_PAGE_ITEMS;
      return read(size, cursor);
    });
    const answer = parse(body, list);
    for (const item of answer.items) items.push(item);
    if (!answer.cursor) return items;
    if (answer.cursor === cursor || items.length > MAX_ITEMS) break;
    cursor = answer.cursor;
  }
  throw new Error(`The pages of ${list.path} do not end.`);
};

/** @returns the items without those of an account that occurred before */
export const uniqueByFid = <Item extends { readonly fid: number }>(items: readonly Item[]): Item[] => [
  ...new Map(items.toReversed().map((item) => [item.fid, item])).values(),
];
