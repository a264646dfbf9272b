import type { Database } from '../store/database.js';
import { type NotificationGroup, selectNotificationGroups } from '../store/notification-group-read.js';
import { type NotificationRow, type NotificationScope, selectNotifications } from '../store/notification-read.js';
import { type NotificationMarks, selectNotificationMarks } from '../store/notification-seen.js';
import { hydrateCastsAndUsers } from './cast-and-user.js';
import type { Hydrate, Hydration } from './hydrate.js';

/** A page of notifications with everything that its view needs. */
export interface NotificationPage {
  readonly rows: readonly NotificationRow[];
  /** What the groups among them hold. */
  readonly groups: ReadonlyMap<NotificationRow, NotificationGroup>;
  readonly marks: NotificationMarks;
  readonly entities: Hydration;
  /** Whether the list goes on. */
  readonly more: boolean;
}

/** @param options `limit` is the page's size; `now` Unix milliseconds; `after` the last row of the page before */
export const hydrateNotifications = async (
  services: { readonly db: Database; readonly hydrate: Hydrate },
  scope: NotificationScope,
  options: { readonly now: number; readonly limit: number; readonly after: NotificationRow | undefined },
): Promise<NotificationPage> => {
  const { db } = services;
  const { now, limit, after } = options;
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
  const shown = { hashes: [...hashes], fids: [...fids] };
  const audience = { appId: scope.appId, viewer: scope.fid };
  const entities = await hydrateCastsAndUsers(services, shown, { now, viewer: scope.fid, audience });
  return { rows, groups, marks, entities, more: found.length > limit };
};
