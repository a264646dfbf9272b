import Type, { type Static } from 'typebox';
import { decodePageToken } from '../../protocol/page-token.js';
import type { MessagePage } from '../../store/hub/message-page.js';

const DEFAULT_PAGE_SIZE = 1_000;

/** Query members of every hub list that is paged. */
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

const PageQuery = Type.Object(pageQuery);
export type PageQuery = Static<typeof PageQuery>;

/** @returns the most entries that the answer may hold. */
export const pageSizeOf = (query: PageQuery): number => query.pageSize ?? DEFAULT_PAGE_SIZE;

/**
 * @returns which rows to read for a page of messages: one more than the page holds, which tells whether another follows.
 * @throws AppError invalid, property `pageToken`, for a token that no list gave out.
 */
export const messagePageOf = (query: PageQuery): MessagePage => ({
  after: decodePageToken(query.pageToken ?? ''),
  reverse: query.reverse ?? false,
  limit: pageSizeOf(query) + 1,
});
