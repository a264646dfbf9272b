import Type, { type Static } from 'typebox';
import type { ReadContext } from '../../cache/read-context.js';
import { readNotifications, shownIn } from '../../hydrate/notification.js';
import { hydrateCasts } from '../../hydrate/page.js';
import { fromUnixMs, toUnixMs } from '../../protocol/time.js';
import { Fid } from '../../schema/fid.js';
import { selectNextNotification } from '../../store/notification/next.js';
import { NotificationKind } from '../../store/notification/source.js';
import { viewNotifications } from '../../view/notification.js';
import type { Caller } from '../../access/caller.js';
import { type CursorList, decodeCursor, encodeCursor } from '../http/cursor.js';
import { firstPageTimeOf } from '../first-page-time.js';
import type { ReadServices } from '../operation.js';

/** Query members that all lists of notifications have. */
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
  /** Kinds to list; absent: all, or all that belong to casts when parent URLs are given. */
  readonly kinds?: readonly NotificationFilter[] | undefined;
  readonly parentUrls?: readonly string[];
  /** How the caller named the parent URLs. */
  readonly place?: readonly string[];
}

const sortKey = Type.Object({ ts: Type.Integer(), kind: Type.Integer(), key: Type.String() });

const kindNumbers = ({ kinds, parentUrls }: NotificationQuery): number[] => {
  const all = Object.keys(NotificationKind) as NotificationFilter[];
  const chosen = kinds ?? (parentUrls === undefined ? all : all.filter((kind) => kind !== 'follows'));
  return [...new Set(chosen.map((kind) => NotificationKind[kind]))].sort();
};

/** Everything that decides the list. */
const filtersOf = (wanted: NotificationQuery) => {
  const { query, caller, place } = wanted;
  return {
    fid: query.fid,
    kinds: kindNumbers(wanted),
    place: place && [...new Set(place)].sort(),
    appId: caller.appId,
  };
};

type Parts = { readonly read: ReadContext } & ReadServices;

const readPage = async ({ read, cursorKey, writer }: Parts, wanted: NotificationQuery) => {
  const { operationId, query, parentUrls } = wanted;
  const list: CursorList<typeof sortKey> = { operationId, sortKey };
  const filters = filtersOf(wanted);
  const before = decodeCursor(cursorKey, list, filters, query.cursor);
  const firstPageTime = before?.firstPageTime ?? firstPageTimeOf({ writer }, read.now);
  const after: Static<typeof sortKey> | undefined = before?.sortKey;
  const { fid, appId, kinds } = filters;
  const horizon = fromUnixMs(firstPageTime);
  const [page, next] = await Promise.all([
    readNotifications(read, { fid, appId, kinds, parentUrls, horizon }, { limit: query.limit, after }),
    before === undefined ? selectNextNotification(read, fid, horizon) : null,
  ]);
  read.endsAt(next === null ? null : toUnixMs(next));
  const last = page.rows.at(-1);
  const place = { firstPageTime, sortKey: { ts: last?.ts ?? 0, kind: last?.kind ?? 0, key: last?.key ?? '' } };
  return { ...page, cursor: page.more ? encodeCursor(cursorKey, list, filters, place) : null };
};

/** Answers one page of a list of notifications. @throws AppError 'invalid' with property `cursor` */
export const answerNotifications = async (parts: Parts, wanted: NotificationQuery): Promise<Buffer> => {
  const { operationId, query, caller, parentUrls } = wanted;
  const { read } = parts;
  const key = [operationId, filtersOf(wanted), query.limit, query.cursor];
  // Where the threads of others belong has no tag: lists of a place are read anew.
  const list =
    parentUrls === undefined
      ? await read.list(key, (inner) => readPage({ ...parts, read: inner }, wanted))
      : await readPage(parts, wanted);
  const { hashes, fids, appFids } = shownIn(list);
  const audience = { appId: caller.appId, viewer: query.fid };
  const page = await hydrateCasts(read, hashes, { audience, accounts: fids, dehydrated: appFids });
  return viewNotifications(list, list.cursor, page);
};
