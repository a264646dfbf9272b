import Type, { type Static } from 'typebox';
import type { Basis } from '../../hydrate/basis.js';
import { dueAt } from '../../hydrate/list-cache.js';
import { hydrateNotifications, type NotificationList, readNotifications } from '../../hydrate/notification.js';
import { fromUnixMs } from '../../protocol/time.js';
import { Fid } from '../../schema/fid.js';
import {
  answersTo,
  bansOf,
  feedOf,
  followersOf,
  type ListSource,
  relationsOf,
  seenBy,
  signersOf,
} from '../../store/list-source.js';
import { selectNextNotification } from '../../store/notification-next.js';
import type { NotificationRow } from '../../store/notification-read.js';
import { NotificationKind } from '../../store/notification-source.js';
import { viewNotifications } from '../../view/notification.js';
import type { Rendered } from '../../view/rendered.js';
import type { Caller } from '../caller.js';
import { type CursorList, decodeCursor, encodeCursor } from '../cursor.js';
import { firstPageTimeOf } from '../first-page-time.js';
import { answerList } from '../list-answer.js';
import type { Services } from '../service.js';

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

/** The app behind a follow is shown, and found by the key that signed it. */
const followersIn = ({ groups }: NotificationList, row: NotificationRow): ListSource[] =>
  (groups.get(row)?.actors ?? []).map(({ fid }) => signersOf(fid));

const readPage = async (services: Services, wanted: NotificationQuery, now: number) => {
  const { db, cursorKey } = services;
  const { operationId, query, parentUrls } = wanted;
  const list: CursorList<typeof sortKey> = { operationId, sortKey };
  const filters = filtersOf(wanted);
  const before = decodeCursor(cursorKey, list, filters, query.cursor);
  const firstPageTime = before?.firstPageTime ?? firstPageTimeOf(services, now);
  const after: Static<typeof sortKey> | undefined = before?.sortKey;
  const { fid, appId, kinds } = filters;
  const horizon = fromUnixMs(firstPageTime);
  const [page, next] = await Promise.all([
    readNotifications(db, { fid, appId, kinds, parentUrls, horizon }, { limit: query.limit, after }),
    before === undefined ? selectNextNotification(db, fid, horizon) : null,
  ]);
  const last = page.rows.at(-1);
  const place = { firstPageTime, sortKey: { ts: last?.ts ?? 0, kind: last?.kind ?? 0, key: last?.key ?? '' } };
  return {
    page: { ...page, cursor: page.more ? encodeCursor(cursorKey, list, filters, place) : null },
    bytes: 350 * page.rows.length + 80 * page.shown.fids.length,
    sources: page.rows.flatMap((row) => (row.kind === NotificationKind.follows ? followersIn(page, row) : [])),
    until: dueAt(next),
  };
};

/** Answers one page of a list of notifications. @throws AppError 'invalid' with property `cursor` */
export const answerNotifications = async (services: Services, wanted: NotificationQuery): Promise<Rendered> => {
  const { operationId, query, caller, parentUrls } = wanted;
  const { fid } = query;
  const owner = { fid, appId: caller.appId };
  const now = services.clock();
  const load = () => readPage(services, wanted, now);
  const request = {
    key: [operationId, filtersOf(wanted), query.limit, query.cursor],
    sources: [answersTo(fid), feedOf(fid), followersOf(fid), seenBy(fid), bansOf(caller.appId), relationsOf(fid)],
    now,
  };
  type Page = Awaited<ReturnType<typeof load>>['page'];
  const write = async (page: Page, basis?: Basis): Promise<Rendered> => {
    const entities = await hydrateNotifications(services, owner, page, { now, basis });
    return viewNotifications({ ...page, entities }, page.cursor);
  };
  // Where the threads of others belong is no source that a page could name: lists of a place are read anew.
  return parentUrls === undefined ? answerList(services, request, load, write) : write((await load()).page);
};
