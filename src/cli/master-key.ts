import type { MasterKey } from '../config/secret.js';
import type { Database } from '../store/database.js';
import { UsageError } from './command.js';

/**
 * A secret under a key that services do not have would keep them from starting.
 * @param what it seals, to be named in the message
 * @throws UsageError when it is not set here, or does not open what is stored
 */
export const requireMasterKey = async (
  masterKey: MasterKey | undefined,
  db: Database,
  what: string,
): Promise<MasterKey> => {
  if (!masterKey) throw new UsageError(`CASTELLAN_MASTER_KEY is not set here: ${what} is sealed with it.`);
  const { selectForeignSealCount } = await import('../store/sealed.js');
  if ((await selectForeignSealCount(db, masterKey.ids)) === 0) return masterKey;
  throw new UsageError('CASTELLAN_MASTER_KEY is not that of the services here: stored secrets are under another one.');
};
