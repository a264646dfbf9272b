import type { Page } from '../hydrate/page.js';
import { toIso } from '../protocol/time.js';
import { castName, viewCast } from './cast.js';
import { viewCastDehydrated } from './cast-embedded.js';
import { viewItems } from './items.js';
import { toBytes, viewNext } from './json.js';
import { reactionObject } from './reaction.js';
import { userName, viewUserOf } from './user.js';
import { viewUserDehydrated } from './user-dehydrated.js';

/** A notification of a list. */
interface Notification {
  /** Protocol seconds of the newest event. */
  readonly ts: number;
  readonly kind: number;
  /** Hash of its cast, hex without 0x; '' if it has none. */
  readonly key: string;
}

interface Group {
  readonly actors: readonly { readonly fid: number; readonly appFid: number | null }[];
  readonly count: number;
}

/** Data of the view in addition to the page; see src/hydrate/notification.ts. */
interface NotificationList<Row extends Notification> {
  readonly rows: readonly Row[];
  readonly groups: ReadonlyMap<Row, Group>;
  readonly marks: { readonly seenUntil: ReadonlyMap<number, number>; readonly unseen: number };
}

/** `type` by kind; filters use plurals for some of them. */
const TYPE: Readonly<Record<number, string>> = {
  1: 'likes',
  2: 'recasts',
  3: 'mention',
  4: 'reply',
  5: 'quote',
  6: 'follows',
};
/** `cast.type` by kind. */
const CAST_TYPE: Readonly<Record<number, string>> = { 3: 'cast-mention', 4: 'cast-reply' };
const FOLLOWS = 6;

const viewFollows = (group: Group | undefined, page: Page): string => {
  const nameOf = ({ fid }: Group['actors'][number]): string => userName(fid);
  const items = viewItems(group?.actors ?? [], page, nameOf, ({ fid, appFid }) => {
    const user = viewUserOf(fid, page);
    const app = appFid === null ? '' : `"app":${viewUserDehydrated(appFid, page)},`;
    return user && `{"object":"follower",${app}"user":${user}}`;
  });
  return `,"follows":[${items.join()}]`;
};

const viewReactions = ({ kind, key }: Notification, group: Group, page: Page): string => {
  const cast = page.casts.get(key);
  if (cast === undefined) return '';
  const start = `{"object":"${reactionObject(kind)}","cast":${viewCastDehydrated(cast, page)},"user":`;
  const nameOf = ({ fid }: Group['actors'][number]): string => userName(fid);
  const items = viewItems(group.actors, page, nameOf, ({ fid }) => {
    const user = viewUserOf(fid, page);
    return user && `${start}${user}}`;
  });
  return `,"reactions":[${items.join()}]`;
};

const viewCastOf = ({ kind, key }: Notification, page: Page): string | undefined => {
  const type = CAST_TYPE[kind];
  return viewCast(key, page, type === undefined ? '' : `,"type":"${type}"`);
};

/** @returns the records; those whose cast was removed since the list was read are left out */
const viewRecords = <Row extends Notification>(
  { rows, groups }: Pick<NotificationList<Row>, 'rows' | 'groups'>,
  page: Page,
  isSeen: (row: Row) => boolean,
): string[] => {
  const nameOf = ({ kind, key }: Row): string => `notification ${TYPE[kind]} ${castName(key)}`;
  return viewItems(rows, page, nameOf, (row) => {
    const { kind, ts } = row;
    const cast = kind === FOLLOWS ? undefined : viewCastOf(row, page);
    if (kind !== FOLLOWS && cast === undefined) return undefined;
    const group = groups.get(row);
    const about =
      cast === undefined
        ? viewFollows(group, page)
        : `,"cast":${cast}${group === undefined ? '' : viewReactions(row, group, page)}`;
    return (
      `{"object":"notification","type":"${TYPE[kind]}","seen":${isSeen(row)},"most_recent_timestamp":"${toIso(ts)}",` +
      `"count":${group?.count ?? 1}${about}}`
    );
  });
};

/** @returns `NotificationsResponse` */
export const viewNotifications = <Row extends Notification>(
  list: NotificationList<Row>,
  cursor: string | null,
  page: Page,
): Buffer => {
  const { seenUntil, unseen } = list.marks;
  const items = viewRecords(list, page, ({ kind, ts }) => ts <= (seenUntil.get(kind) ?? -1));
  return toBytes(`{"unseen_notifications_count":${unseen},"notifications":[`, items, `],${viewNext(cursor)}}`);
};

/** @returns `UserInteractionsResponse`; nobody marks interactions as seen, so they all are */
export const viewInteractions = <Row extends Notification>(
  list: Pick<NotificationList<Row>, 'rows' | 'groups'>,
  page: Page,
): Buffer =>
  toBytes(
    '{"interactions":[',
    viewRecords(list, page, () => true),
    ']}',
  );
