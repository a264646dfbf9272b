import Type, { type Static } from 'typebox';
import { hydrateNotifications } from '../../hydrate/notification.js';
import { fromUnixMs } from '../../protocol/time.js';
import { Fid } from '../../schema/fid.js';
import { NotificationKind } from '../../store/notification-source.js';
import { viewNotifications } from '../../view/notification.js';
import type { Rendered } from '../../view/rendered.js';
import type { Caller } from '../caller.js';
import { type CursorList, decodeCursor, encodeCursor } from '../cursor.js';
import type { Services } from '../service.js';

/** Query members that all lists of notifications have. */
export const notificationQuery = {
  fid: Fid,
  limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 25, default: 15 }),
  cursor: Type.Optional(Type.String()),
};

type NotificationFilter = keyof typeof NotificationKind;

interface NotificationList {
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

const kindNumbers = ({ kinds, parentUrls }: NotificationList): number[] => {
  const all = Object.keys(NotificationKind) as NotificationFilter[];
  const chosen = kinds ?? (parentUrls === undefined ? all : all.filter((kind) => kind !== 'follows'));
  return [...new Set(chosen.map((kind) => NotificationKind[kind]))].sort();
};

/** Answers one page of a list of notifications. @throws AppError 'invalid' with property `cursor` */
export const answerNotifications = async (services: Services, wanted: NotificationList): Promise<Rendered> => {
  const { operationId, query, caller, parentUrls, place } = wanted;
  const list: CursorList<typeof sortKey> = { operationId, sortKey };
  const kinds = kindNumbers(wanted);
  const filters = { fid: query.fid, kinds, place: place && [...new Set(place)].sort(), appId: caller.appId };
  const { cursorKey } = services;
  const now = services.clock();
  const before = decodeCursor(cursorKey, list, filters, query.cursor);
  const firstPageTime = before?.firstPageTime ?? now;
  const after: Static<typeof sortKey> | undefined = before?.sortKey;
  const scope = { fid: query.fid, appId: caller.appId, kinds, parentUrls, horizon: fromUnixMs(firstPageTime) };
  const page = await hydrateNotifications(services, scope, { now, limit: query.limit, after });
  const last = page.rows.at(-1);
  const cursor =
    page.more && last !== undefined
      ? encodeCursor(cursorKey, list, filters, {
          firstPageTime,
          sortKey: { ts: last.ts, kind: last.kind, key: last.key },
        })
      : null;
  return viewNotifications(page, cursor);
};
