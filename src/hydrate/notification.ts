import type { Reader } from '../db/statement.js';
import { type NotificationGroup, selectNotificationGroups } from '../store/notification/group.js';
import { type NotificationRow, type NotificationScope, selectNotifications } from '../store/notification/list.js';
import { type NotificationMarks, selectNotificationMarks } from '../store/notification/seen.js';

/** A page of notifications as read from the store. */
export interface NotificationList {
  readonly rows: readonly NotificationRow[];
  readonly groups: ReadonlyMap<NotificationRow, NotificationGroup>;
  readonly marks: NotificationMarks;
  /** Whether there is another page. */
  readonly more: boolean;
}

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

/** @returns the casts that the list shows, the accounts that it shows in full, and their apps */
export const referencedEntities = ({ rows, groups }: NotificationList) => {
  const actors = [...groups.values()].flatMap((group) => group.actors);
  return {
    hashes: rows.flatMap(({ key }) => (key === '' ? [] : [key])),
    fids: actors.map(({ fid }) => fid),
    appFids: actors.flatMap(({ appFid }) => appFid ?? []),
  };
};
