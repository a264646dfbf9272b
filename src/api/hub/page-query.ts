import Type, { type Static } from 'typebox';
import { decodePageToken, type PagePosition } from '../../protocol/page-token.js';
import { UINT32 } from '../../protocol/wire/wire.js';
import type { MessagePage } from '../../store/hub/message-page.js';

const DEFAULT_PAGE_SIZE = 1_000;

/** Query parameters of every paged hub list. */
export const pageQuery = {
  pageSize: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: DEFAULT_PAGE_SIZE,
      default: DEFAULT_PAGE_SIZE,
      description: 'Most messages per response.',
    }),
  ),
  reverse: Type.Optional(Type.Boolean({ default: false, description: 'Latest first.' })),
  pageToken: Type.Optional(
    Type.String({ description: 'nextPageToken of the previous page; empty means the first page.' }),
  ),
};

const time = (description: string) => Type.Optional(Type.Integer({ minimum: 0, maximum: UINT32, description }));

/** Query parameters of every list of messages. */
export const messagePageQuery = {
  ...pageQuery,
  startTimestamp: time('Only messages of this second or later, in seconds since 2021-01-01.'),
  stopTimestamp: time('Only messages of this second or earlier.'),
};

const PageQuery = Type.Object(pageQuery);
export type PageQuery = Static<typeof PageQuery>;
const MessagePageQuery = Type.Object(messagePageQuery);
export type MessagePageQuery = Static<typeof MessagePageQuery>;

export const pageSizeOf = (query: PageQuery): number => query.pageSize ?? DEFAULT_PAGE_SIZE;

/** Hashes have 20 bytes. */
const BEFORE_ALL_HASHES = new Uint8Array(0);
const AFTER_ALL_HASHES = new Uint8Array(21).fill(0xff);

const isLater = (a: PagePosition, b: PagePosition): boolean =>
  a.timestamp === b.timestamp ? Buffer.compare(a.hash, b.hash) > 0 : a.timestamp > b.timestamp;

/** @returns the position before the first message that the times of the query allow, in the order of the list */
const boundOf = ({ reverse, startTimestamp, stopTimestamp }: MessagePageQuery): PagePosition | undefined => {
  if (reverse) return stopTimestamp === undefined ? undefined : { timestamp: stopTimestamp, hash: AFTER_ALL_HASHES };
  return startTimestamp === undefined ? undefined : { timestamp: startTimestamp, hash: BEFORE_ALL_HASHES };
};

/** @returns the rows of a page up to the last that the times of the query allow */
export const withinTimes = <Row extends { readonly ts: number }>(
  rows: readonly Row[],
  { reverse, startTimestamp = 0, stopTimestamp = UINT32 }: MessagePageQuery,
): readonly Row[] => {
  const end = rows.findIndex(({ ts }) => (reverse ? ts < startTimestamp : ts > stopTimestamp));
  return end === -1 ? rows : rows.slice(0, end);
};

/** @returns everything in the query on which a page depends, for the key of a stored page */
export const pageKeyOf = (query: MessagePageQuery): readonly (string | number | boolean | undefined)[] =>
  Object.keys(messagePageQuery).map((name) => query[name as keyof MessagePageQuery]);

/**
 * @returns the rows to select for a page of messages: one more than the page holds, which shows whether another follows
 * @throws AppError invalid, property `pageToken`, for a token that no list returned
 */
export const messagePageOf = (query: MessagePageQuery): MessagePage => {
  const { reverse = false, pageToken = '' } = query;
  const token = decodePageToken(pageToken);
  const bound = boundOf(query);
  const isBoundFirst = token === undefined || (bound !== undefined && isLater(bound, token) !== reverse);
  return { after: isBoundFirst ? bound : token, reverse, limit: pageSizeOf(query) + 1 };
};
