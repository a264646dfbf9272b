import { availableParallelism } from 'node:os';
import type { ConfigReader } from './reader.js';
import { ROLES, type Role } from './variable.js';
import type { Profile } from './variable-row.js';

/** How the work is divided among processes. */
export interface ProcessConfig {
  /** Processes that answer requests; with more than one, further processes have the other roles. */
  readonly workers: number;
  readonly roles: ReadonlySet<Role>;
}

const ONE_PROCESS =
  'the embedded database serves one process. Set DATABASE_URL to a PostgreSQL server, or leave this out.';

/** With a hub, five processes: their connections fit into the 100 that PostgreSQL allows by default. */
const MAX_DEFAULT_WORKERS = 3;

/** @param isServer whether the database is a server */
export const readProcesses = (reader: ConfigReader, profile: Profile, isServer: boolean): ProcessConfig => {
  const workers = reader.get('CASTELLAN_WORKERS');
  const roles = new Set(reader.get('CASTELLAN_ROLE'));
  const isDivided = roles.size < ROLES.length;
  if (roles.size === 0) reader.problem('CASTELLAN_ROLE', `is off: name at least one of ${ROLES.join(', ')}.`);
  const answers = roles.has('api');
  const only =
    profile === 'dev' ? '`castellan dev` is one process. Use `castellan serve`, or leave this out.' : ONE_PROCESS;
  if (profile === 'dev' || !isServer) {
    if (workers !== undefined && workers > 1) reader.problem('CASTELLAN_WORKERS', `is ${workers}, but ${only}`);
    if (isDivided) reader.problem('CASTELLAN_ROLE', `leaves work to others, but ${only}`);
    return { workers: 1, roles };
  }
  if (!answers && workers !== undefined && workers > 1) {
    const problem = `is ${workers}, but only the role api is divided among workers: follow a hub and run jobs in one process.`;
    reader.problem('CASTELLAN_WORKERS', problem);
  }
  const ownDefault = Math.min(MAX_DEFAULT_WORKERS, Math.max(1, availableParallelism() - 1));
  return { workers: answers ? (workers ?? ownDefault) : 1, roles };
};
