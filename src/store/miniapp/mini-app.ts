import { execute, type Session, sql } from '../../db/statement.js';
import { first } from '../table.js';

const selectMiniAppSql = sql<{ domain: string }>('select_mini_app', 'select domain from mini_app where app_id = $1');

/** @returns the domain of the app's mini app, as `readDomain` returns it; undefined: the app has none */
export const selectMiniAppDomain = async (session: Session, appId: string): Promise<string | undefined> =>
  (await first(session.select(selectMiniAppSql, [appId])))?.domain;

const upsertMiniAppSql = sql(
  'upsert_mini_app',
  'insert into mini_app (app_id, domain) values ($1, $2) on conflict (app_id) do update set domain = excluded.domain',
);

/** Sets the domain of the app's mini app. */
export const upsertMiniApp = (session: Session, appId: string, domain: string): Promise<void> =>
  execute(session, upsertMiniAppSql, [appId, domain]);

const deleteMiniAppSql = sql('delete_mini_app', 'delete from mini_app where app_id = $1');

/** The app has no mini app any more; its tokens remain, for the time when it has one again. */
export const deleteMiniApp = (session: Session, appId: string): Promise<void> =>
  execute(session, deleteMiniAppSql, [appId]);
