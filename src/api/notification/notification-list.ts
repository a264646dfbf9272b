import Type from 'typebox';
import type { Caller } from '../../access/caller.js';
import type { ReadContext } from '../../cache/read-context.js';
import { readNotifications, referencedEntities } from '../../hydrate/notification.js';
import { hydrateCasts } from '../../hydrate/page.js';
import { fromUnixMs, toUnixMs } from '../../protocol/time.js';
import { Fid } from '../../schema/fid.js';
import { selectNextNotification } from '../../store/notification/next.js';
import { NotificationKind } from '../../store/notification/source.js';
import { viewNotifications } from '../../view/notification.js';
import { openPage } from '../http/cursor.js';
import type { ReadServices } from '../http/operation.js';
import { firstPageTimeOf } from '../http/page-snapshot-time.js';

export const notificationQuery = {
  fid: Fid,
  limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 25, default: 15 }),
  cursor: Type.Optional(Type.String()),
};

type NotificationFilter = keyof typeof NotificationKind;

interface NotificationQuery {
  readonly operationId: string;
  readonly query: { readonly fid: number; readonly limit: number; readonly cursor?: string | undefined };
  readonly caller: Caller;
  /** Kinds to list; absent: all, or those about casts when parent URLs are given. */
  readonly kinds?: readonly NotificationFilter[] | undefined;
  readonly parentUrls?: readonly string[];
  /** The parent URLs or channels as in the request. */
  readonly place?: readonly string[];
}

const sortKey = Type.Object({ ts: Type.Integer(), kind: Type.Integer(), key: Type.String() });

const kindNumbers = ({ kinds, parentUrls }: NotificationQuery): number[] => {
  const all = Object.keys(NotificationKind) as NotificationFilter[];
  const chosen = kinds ?? (parentUrls === undefined ? all : all.filter((kind) => kind !== 'follows'));
  return [...new Set(chosen.map((kind) => NotificationKind[kind]))].sort();
};

const filtersOf = (wanted: NotificationQuery) => {
  const { query, caller, place } = wanted;
  return {
    fid: query.fid,
    kinds: kindNumbers(wanted),
    place: place && [...new Set(place)].sort(),
    appId: caller.appId,
  };
};

type Dependencies = { readonly read: ReadContext } & ReadServices;

const readPage = async ({ read, cursorKey, writer }: Dependencies, wanted: NotificationQuery) => {
  const { operationId, query, parentUrls } = wanted;
  const filters = filtersOf(wanted);
  const now = firstPageTimeOf({ writer }, read.now);
  const { after, firstPageTime, cursorAfter } = openPage(cursorKey, { operationId, sortKey }, filters, query, now);
  const { fid, appId, kinds } = filters;
  const horizon = fromUnixMs(firstPageTime);
  const [page, next] = await Promise.all([
    readNotifications(read, { fid, appId, kinds, parentUrls, horizon }, { limit: query.limit, after }),
    after === undefined ? selectNextNotification(read, fid, horizon) : null,
  ]);
  read.endsAt(next === null ? null : toUnixMs(next));
  const last = page.rows.at(-1);
  const end = page.more && last ? { ts: last.ts, kind: last.kind, key: last.key } : undefined;
  return { ...page, cursor: cursorAfter(end) };
};

/** Responds with one page of notifications. @throws AppError 'invalid' with property `cursor` */
export const respondWithNotifications = async (deps: Dependencies, wanted: NotificationQuery): Promise<Buffer> => {
  const { operationId, query, caller, parentUrls } = wanted;
  const { read } = deps;
  const key = [operationId, filtersOf(wanted), query.limit, query.cursor];
  // Threads of other accounts have no tag for their channel, so lists by channel are not cached.
  const list =
    parentUrls === undefined
      ? await read.list(key, (inner) => readPage({ ...deps, read: inner }, wanted))
      : await readPage(deps, wanted);
  const { hashes, fids, appFids } = referencedEntities(list);
  const audience = { appId: caller.appId, viewer: query.fid };
  const page = await hydrateCasts(read, hashes, { audience, accounts: fids, dehydrated: appFids });
  return viewNotifications(list, list.cursor, page);
};
