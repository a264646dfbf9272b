import pg from 'pg';
import { sqlState } from '../failure.js';

/** Milliseconds that the server has to let another connection in and to respond there. */
const RESPONSE_MS = 2_000;

interface Activity {
  /** Process of the other connection's own session. */
  readonly own: number;
  /** What the session of the statement does; null if there is none. */
  readonly state: string | null;
}

const ACTIVITY = 'select pg_backend_pid() as own, (select state from pg_stat_activity where pid = $1) as state';

/**
 * Asks over a new connection what the server does for a client.
 * @param config with which the client was opened
 * @param isPooler whether it leads to a pooler, which hides the session of the client and may have none for this question
 * @returns `working` on a statement, which may wait for a lock; the same if nobody can know: there is a pooler, which responds,
 *   activities are not tracked, the server has no connection left, or a file that the address names is gone. `away` if it
 *   does not respond.
 */
export const askServer = async (
  { host, port, processID }: pg.Client & { readonly processID?: number | null },
  config: pg.ClientConfig,
  isPooler = false,
): Promise<'working' | 'idle' | 'away'> => {
  let other: pg.Client;
  try {
    other = new pg.Client({ ...config, query_timeout: RESPONSE_MS });
  } catch {
    return 'working';
  }
  Object.assign(other, { host, port });
  const timer = setTimeout(() => other.connection.stream.destroy(), RESPONSE_MS);
  // The awaited statement reports it.
  other.on('error', () => undefined);
  try {
    await other.connect();
    if (isPooler) return 'working';
    const { rows } = await other.query<Activity>(ACTIVITY, [processID]);
    const { own, state } = rows[0] as Activity;
    const isHidden = own !== (other as { readonly processID?: number }).processID;
    // With track_activities off, the state is 'disabled'.
    const isIdle = state === null || state.startsWith('idle');
    return isIdle && !isHidden ? 'idle' : 'working';
  } catch (error) {
    const state = sqlState(error);
    // A pooler has no code of its own for too many clients.
    return state === '53300' || (isPooler && state !== undefined) ? 'working' : 'away';
  } finally {
    other.connection.stream.destroy();
    clearTimeout(timer);
  }
};
