/** For whom a list is made. */
export interface Audience {
  /** The app that asks: what it banned is not shown. */
  readonly appId: string;
  /** Whom the app shows it to; null: nobody was named. */
  readonly viewer: number | null;
}

/**
 * The one rule of who is shown to whom, as a condition for the query that makes a list, so that a page is full
 * whenever there is more: not whom the app banned, not whom the viewer muted in this app, nobody who blocks the
 * viewer or whom the viewer blocks.
 *
 * @param author SQL of the fid that would be shown
 * @param viewer placeholder of the viewer's fid, which may be null (`$2`)
 * @param appId placeholder of the app's id
 */
export const visibleTo = (author: string, viewer: string, appId: string): string => `
  not exists (select from ban where ban.fid = ${author} and ban.app_id = ${appId}::uuid)
  and (${viewer}::bigint is null or (
    not exists (select from mute where mute.fid = ${viewer}::bigint and mute.app_id = ${appId}::uuid and mute.muted_fid = ${author})
    and not exists (select from block where block.fid = ${viewer}::bigint and block.blocked_fid = ${author})
    and not exists (select from block where block.fid = ${author} and block.blocked_fid = ${viewer}::bigint)
  ))`;
