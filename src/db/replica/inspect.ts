import pg from 'pg';
import { parseDatabaseUrl } from '../../config/database-url.js';
import { checkQuery } from '../client-check.js';
import { connectionConfig } from '../server/server.js';
import { replicaName } from './name.js';
import { SERVER_STATE, type ServerState, serverStateOf } from './server-state.js';

/** A replica as `castellan doctor` shows it. */
export interface ReplicaReport {
  /** `host:port`. */
  readonly name: string;
  /** Undefined: it does not answer, see `failure`. */
  readonly found?: ServerState & {
    /** Whether it keeps the primary from removing rows that its reads may need (`hot_standby_feedback`). */
    readonly hasFeedback: boolean;
  };
  readonly failure?: Error;
}

/** Asks a replica over a connection of its own. @param url of one host. Never rejects. */
export const inspectReplica = async (url: string): Promise<ReplicaReport> => {
  const { options, urls } = parseDatabaseUrl(url);
  const connectionString = urls[0] as string;
  const name = replicaName(connectionString);
  let client: pg.Client | undefined;
  try {
    client = new pg.Client({ ...connectionConfig(options), connectionString });
    // The awaited call reports it.
    client.on('error', () => undefined);
    await client.connect();
    const state = serverStateOf(await client.query(checkQuery(SERVER_STATE)));
    const { rows } = await client.query<{ hasFeedback: boolean }>(
      checkQuery(`select current_setting('hot_standby_feedback')::boolean as "hasFeedback"`),
    );
    return { name, found: { ...state, hasFeedback: rows[0]?.hasFeedback ?? false } };
  } catch (error) {
    return { name, failure: error as Error };
  } finally {
    client?.end().catch(() => undefined);
  }
};
