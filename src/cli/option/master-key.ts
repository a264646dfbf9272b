import type { MasterKey } from '../../config/secret.js';
import type { Database } from '../../db/database.js';
import { UsageError } from '../terminal/command.js';

/**
 * Checks the key, because a secret under another key would prevent services from starting.
 * @param what the secret's name in the message
 * @throws UsageError if the key is not set, or does not open stored secrets
 */
export const requireMasterKey = async (
  masterKey: MasterKey | undefined,
  db: Database,
  what: string,
): Promise<MasterKey> => {
  if (!masterKey) throw new UsageError(`CASTELLAN_MASTER_KEY is not set here: ${what} is sealed with it.`);
  const { selectOtherKeySealCount } = await import('../../store/access/sealed-column.js');
  if ((await selectOtherKeySealCount(db, masterKey.ids)) === 0) return masterKey;
  throw new UsageError('CASTELLAN_MASTER_KEY is not that of the services here: stored secrets are under another one.');
};
