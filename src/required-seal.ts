import type { Config } from './config/config.js';
import { ConfigError } from './config/reader.js';
import type { ServiceCore } from './service-core.js';
import { selectOtherKeySealCount } from './store/access/sealed-column.js';

/**
 * Fails at the start if the master key does not open a stored secret: otherwise only the first signature would.
 * @throws ConfigError, after closing the core
 */
export const requireSeals = async (core: ServiceCore, masterKey: Config['masterKey']): Promise<void> => {
  const foreign = await selectOtherKeySealCount(core.db, masterKey.ids);
  if (foreign === 0) return;
  await core.close();
  const problem = `does not open everything: ${foreign} stored secrets are under another key. Set CASTELLAN_MASTER_KEY_PREVIOUS to that one, then run \`castellan secret rotate\`.`;
  throw new ConfigError([{ variable: 'CASTELLAN_MASTER_KEY', problem }]);
};
