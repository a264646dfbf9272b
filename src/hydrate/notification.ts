import type { Reader } from '../db/statement.js';
import { type NotificationGroup, selectNotificationGroups } from '../store/notification/group.js';
import { type InteractionPair, type InteractionRow, selectInteractions } from '../store/notification/interaction.js';
import { type NotificationRow, type NotificationScope, selectNotifications } from '../store/notification/list.js';
import { type NotificationMarks, selectNotificationMarks } from '../store/notification/seen.js';
import { NotificationKind } from '../store/notification/source.js';

/** A page of notifications as read from the store. */
export interface NotificationList {
  readonly rows: readonly NotificationRow[];
  readonly groups: ReadonlyMap<NotificationRow, NotificationGroup>;
  readonly marks: NotificationMarks;
  /** Whether there is another page. */
  readonly more: boolean;
}

const { likes, recasts, follows } = NotificationKind;
const GROUPED: readonly number[] = [likes, recasts, follows];

/** Whether records of this kind name the accounts that acted; the others show a cast, which names its author. */
const isGrouped = ({ kind }: NotificationRow): boolean => GROUPED.includes(kind);

/** @param options `limit` is the page size, `after` the last row of the previous page */
export const readNotifications = async (
  db: Reader,
  scope: NotificationScope,
  { limit, after }: { readonly limit: number; readonly after: NotificationRow | undefined },
): Promise<NotificationList> => {
  const [found, marks] = await Promise.all([
    selectNotifications(db, scope, after, limit + 1),
    selectNotificationMarks(db, scope),
  ]);
  const rows = found.slice(0, limit);
  const groups = await selectNotificationGroups(db, scope, rows);
  return { rows, groups, marks, more: found.length > limit };
};

/** @returns interactions as notifications of one event each, whose only actor is the account that acted */
export const readInteractions = async (
  db: Reader,
  pair: InteractionPair,
): Promise<Pick<NotificationList, 'rows' | 'groups'>> => {
  const rows = await selectInteractions(db, pair);
  const groupOf = ({ actorFid: fid, appFid }: InteractionRow): NotificationGroup => ({
    actors: [{ fid, appFid }],
    count: 1,
  });
  return { rows, groups: new Map(rows.filter(isGrouped).map((row) => [row, groupOf(row)])) };
};

/** @returns the casts that the list shows, the accounts that it shows in full, and their apps */
export const referencedEntities = ({ rows, groups }: Pick<NotificationList, 'rows' | 'groups'>) => {
  const actors = [...groups.values()].flatMap((group) => group.actors);
  return {
    hashes: rows.flatMap(({ key }) => (key === '' ? [] : [key])),
    fids: actors.map(({ fid }) => fid),
    appFids: actors.flatMap(({ appFid }) => appFid ?? []),
  };
};
