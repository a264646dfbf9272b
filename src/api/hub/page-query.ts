import Type, { type Static } from 'typebox';
import { decodePageToken } from '../../protocol/page-token.js';
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

const PageQuery = Type.Object(pageQuery);
export type PageQuery = Static<typeof PageQuery>;

export const pageSizeOf = (query: PageQuery): number => query.pageSize ?? DEFAULT_PAGE_SIZE;

/**
 * @returns the rows to select for a page of messages: one more than the page holds, which shows whether another follows
 * @throws AppError invalid, property `pageToken`, for a token that no list returned
 */
export const messagePageOf = (query: PageQuery): MessagePage => ({
  after: decodePageToken(query.pageToken ?? ''),
  reverse: query.reverse ?? false,
  limit: pageSizeOf(query) + 1,
});
