import type { Database } from '../store/database.js';
import { type NotificationGroup, selectNotificationGroups } from '../store/notification-group-read.js';
import { type NotificationRow, type NotificationScope, selectNotifications } from '../store/notification-read.js';
import { type NotificationMarks, selectNotificationMarks } from '../store/notification-seen.js';
import { type CastsAndUsers, hydrateCastsAndUsers } from './cast-and-user.js';
import type { Hydrate, HydrateOptions, Hydration } from './hydrate.js';

/** A page of notifications as the store has it. */
export interface NotificationList {
  readonly rows: readonly NotificationRow[];
  /** What the groups among them hold. */
  readonly groups: ReadonlyMap<NotificationRow, NotificationGroup>;
  readonly marks: NotificationMarks;
  /** Whether the list goes on. */
  readonly more: boolean;
  /** What its view shows. */
  readonly shown: CastsAndUsers;
}

/** @param options `limit` is the page's size; `after` the last row of the page before */
export const readNotifications = async (
  db: Database,
  scope: NotificationScope,
  { limit, after }: { readonly limit: number; readonly after: NotificationRow | undefined },
): Promise<NotificationList> => {
  const [found, marks] = await Promise.all([
    selectNotifications(db, scope, after, limit + 1),
    selectNotificationMarks(db, scope),
  ]);
  const rows = found.slice(0, limit);
  const groups = await selectNotificationGroups(db, scope, rows);
  const fids = new Set<number>();
  for (const { actors } of groups.values()) {
    for (const { fid, appFid } of actors) {
      fids.add(fid);
      if (appFid !== null) fids.add(appFid);
    }
  }
  const hashes = new Set(rows.flatMap(({ key }) => (key === '' ? [] : [key])));
  return { rows, groups, marks, more: found.length > limit, shown: { hashes: [...hashes], fids: [...fids] } };
};

/** Everything that the view of a page needs besides. */
export const hydrateNotifications = (
  services: { readonly hydrate: Hydrate },
  { fid, appId }: Pick<NotificationScope, 'fid' | 'appId'>,
  { shown }: NotificationList,
  options: Pick<HydrateOptions, 'now' | 'basis'>,
): Promise<Hydration> =>
  hydrateCastsAndUsers(services, shown, { ...options, viewer: fid, audience: { appId, viewer: fid }, withFaces: true });
