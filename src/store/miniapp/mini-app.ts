import { selectQuery, writeQuery } from '../query-function.js';

/** @returns the domain of the app's mini app, as `readDomain` returns it; undefined: the app has none */
export const selectMiniAppDomain = selectQuery(
  'select_mini_app',
  'select domain from mini_app where app_id = :appId',
).value('domain', (appId: string) => ({ appId }));

/** Sets the domain of the app's mini app. */
export const upsertMiniApp = writeQuery(
  'upsert_mini_app',
  'insert into mini_app (app_id, domain) values (:appId, :domain) on conflict (app_id) do update set domain = excluded.domain',
).done((appId: string, domain: string) => ({ appId, domain }));

/** The app has no mini app any more; its tokens remain, for the time when it has one again. */
export const deleteMiniApp = writeQuery('delete_mini_app', 'delete from mini_app where app_id = :appId').done(
  (appId: string) => ({ appId }),
);
