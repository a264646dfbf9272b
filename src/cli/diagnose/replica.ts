import type { StoreConfig } from '../../config/config.js';
import { parseDatabaseUrl } from '../../config/database-url.js';
import type { Database } from '../../db/database.js';
import { inspectReplica, type ReplicaReport } from '../../db/replica/inspect.js';
import { replicaName } from '../../db/replica/name.js';
import { selectLogPosition } from '../../store/log-position.js';
import { type Finding, fail, ok, warn, whereStored } from './finding.js';

const MEGABYTE = 1024 * 1024;
/** A replica that lacks more than this is not just briefly late. */
const LAG_BYTES = 64 * MEGABYTE;

interface Primary {
  /** `host:port`; several if it is one of them, behind a pooler. */
  readonly names: readonly (string | undefined)[];
  readonly position: number;
  readonly cluster: string;
}

const findingOf = ({ name, found, failure }: ReplicaReport, primary: Primary): Finding => {
  const check = `replica ${name}`;
  if (found === undefined) {
    const advice = 'Check that it runs, CASTELLAN_READ_URL, and the rights of its user. Meanwhile the others are read.';
    return warn(check, `does not answer: ${failure?.message}`, advice);
  }
  if (found.cluster !== primary.cluster) {
    const advice =
      'Correct CASTELLAN_READ_URL: only standbys of the server of DATABASE_URL are read, in the same database.';
    return fail(check, 'has another database than the primary', advice);
  }
  if (!found.isStandby) {
    if (primary.names.includes(name)) return ok(check, 'is the primary now; reads are sent to the others');
    return warn(
      check,
      'is no standby',
      'It was promoted, and is not read from: make it a standby of the primary again.',
    );
  }
  const behind = Math.max(0, primary.position - (found.position ?? 0));
  const text = `has replayed all but ${(behind / MEGABYTE).toFixed(1)} MB of the log`;
  if (behind > LAG_BYTES)
    return warn(
      check,
      text,
      'If the number does not fall, look at the log of that server: reads go elsewhere meanwhile.',
    );
  if (!found.hasFeedback) {
    const advice = 'Set hot_standby_feedback = on there: otherwise reads are cancelled, and repeated on the primary.';
    return warn(check, `${text}; hot_standby_feedback is off`, advice);
  }
  return ok(check, text);
};

/** Checks the replicas that are read from. */
export const diagnoseReplicas = async (
  { replicas, database }: Pick<StoreConfig, 'replicas' | 'database'>,
  open: () => Promise<Database>,
): Promise<Finding[]> => {
  if (replicas.length === 0) return [];
  // Another check reports an unavailable database.
  return whereStored(open, async (db) => {
    const { position, cluster } = await selectLogPosition(db);
    const direct = 'url' in database ? database.directUrl : undefined;
    const names = direct ? parseDatabaseUrl(direct.reveal()).urls.map(replicaName) : [db.address()];
    const primary = { names, position, cluster };
    const reports = await Promise.all(replicas.map((url) => inspectReplica(url.reveal())));
    return reports.map((report) => findingOf(report, primary));
  });
};
