import Type, { type Static, type TInteger, type TObject, type TProperties, type TSchema } from 'typebox';
import type { ReadContext } from '../../cache/read-context.js';
import { fromUnixMs } from '../../protocol/time.js';
import { type CursorFilters, openPage } from '../http/cursor.js';
import { type Operation, type OperationRequest, operation, type ReadServices } from '../http/operation.js';
import { firstPageTimeOf } from './page-snapshot-time.js';

/** What a page is read with, besides the filters. */
export interface PagePlace<Key> {
  /** Sort key of the last row of the page before; undefined: this is the first page. */
  readonly after: Key | undefined;
  /** Rows of the page. */
  readonly size: number;
  /** When the first page was requested, in protocol seconds: for lists that leave out what came later. */
  readonly horizon: number;
}

/** A page as it was read. */
export interface LoadedPage<Content, Key> {
  readonly content: Content;
  /** Sort key of the last row if another page follows. */
  readonly end: Key | undefined;
}

interface PageQuery {
  readonly limit: number;
  readonly cursor?: string;
}

type Shared = 'id' | 'path' | 'tags' | 'title' | 'summary' | 'cost' | 'parameters' | 'waitsOutside' | 'needsApp';
type Defaulted = 'errors' | 'invalidBody' | 'scope';

export type PageRequest<Query extends TProperties> = OperationRequest<Static<TObject<Query>> & PageQuery>;

/** What every operation with pages says about itself. */
export interface PageDescription<Query extends TProperties>
  extends Pick<Operation, Shared>,
    Partial<Pick<Operation, Defaulted>> {
  readonly headers?: TObject;
  /** Members of the query, without `limit` and `cursor`. */
  readonly query: Query;
  readonly response: TSchema;
}

/** How the pages of an operation are chosen, read and shown. */
export interface PageDefinition<Query extends TProperties, Key extends TSchema, Filters extends CursorFilters, Content>
  extends PageDescription<Query> {
  readonly limit: TInteger;
  /** Schema of the full sort key: the columns of `ORDER BY`, as JSON values (no bigint). */
  readonly sortKey: Key;
  /**
   * @returns everything that the rows depend on and their order, as JSON values: `load` gets nothing else of the request,
   *   and the key of the cache and the seal of the cursor are made from it
   * @throws AppError
   */
  filters(request: PageRequest<Query>, read: ReadContext, services: ReadServices): Filters | Promise<Filters>;
  /** Reads a page, from the database through the given context alone. */
  load(
    read: ReadContext,
    filters: Filters,
    place: PagePlace<Static<Key>>,
    services: ReadServices,
  ): Promise<LoadedPage<Content, Static<Key>>>;
  /** Whether the list is not worth its memory, because it is short or rarely asked for twice. Default: false. */
  readonly isUncached?: boolean | ((filters: Filters) => boolean);
  /** Set for lists whose rows change without an invalidation: they have no `ETag`, and are not cached. */
  readonly isUntagged?: true;
  /** @param cursor of the next page; null: there is none. @returns the bytes of the response; of an untagged list, an object */
  view(
    content: Content,
    cursor: string | null,
    request: PageRequest<Query>,
    read: ReadContext,
    filters: Filters,
  ): Promise<Buffer> | object;
}

/**
 * Declares an operation whose response is one page of several: the cursor, the limit, the time of the first page, the
 * cache and `next` come from here.
 * @throws AppError of the operation: 'invalid' with property `cursor` for a cursor of another list
 */
export const pagedOperation = <
  const Query extends TProperties,
  const Key extends TSchema,
  Filters extends CursorFilters,
  Content,
>(
  definition: PageDefinition<Query, Key, Filters, Content>,
): Operation => {
  const { query, limit, sortKey, filters, load, isUncached, isUntagged, view, ...description } = definition;
  const list = { operationId: definition.id, sortKey };
  const respond = async (request: PageRequest<Query>, read: ReadContext, services: ReadServices) => {
    const chosen = await filters(request, read, services);
    const { limit: size, cursor: place } = request.query;
    const loadPage = async (inner: ReadContext) => {
      const page = openPage(services.cursorKey, list, chosen, place, firstPageTimeOf(services, inner.now));
      const horizon = fromUnixMs(page.firstPageTime);
      const { content, end } = await load(inner, chosen, { after: page.after, size, horizon }, services);
      return { content, cursor: page.cursorAfter(end) };
    };
    const isNotStored = isUntagged ?? (typeof isUncached === 'function' ? isUncached(chosen) : isUncached) ?? false;
    const { content, cursor } = isNotStored
      ? await loadPage(read)
      : await read.list([list.operationId, chosen, size, place], loadPage);
    return view(content, cursor, request, read, chosen);
  };
  const typed = (request: OperationRequest) => request as unknown as PageRequest<Query>;
  const all = { ...description, query: Type.Object({ ...query, limit, cursor: Type.Optional(Type.String()) }) };
  return isUntagged
    ? operation({ ...all, handle: (request, services) => respond(typed(request), services.reads.open(), services) })
    : operation({
        ...all,
        read: async (request, read, services) => (await respond(typed(request), read, services)) as Buffer,
      });
};
