import { DEFAULT_APP_ID } from '../../access/key.js';
import type { App } from '../../app.js';
import type { Config } from '../../config/config.js';
import { derive } from '../../sample/random.js';
import { EXAMPLE_SIGNER_UUID } from '../../schema/example.js';
import { DEFAULT_PERMISSIONS } from '../../signer/permission.js';
import { seedSigner } from '../../signer/seed.js';
import { insertManagedSigner, selectManagedSigner } from '../../store/access/managed-signer.js';
import { SIGNER_SEAL } from '../../store/access/sealed-column.js';
import { KeyType, selectAccountByKey } from '../../store/access/signed-key-request.js';
import { addLocalKey } from './local-chain.js';
import { findSampleAuthor } from './sample-author.js';

/** The first app of the sample owns the signer. */
const FID = 1;

/**
 * Creates a signer with a known uuid, approved by account 1 of the sample network, for the examples of the reference.
 * Its key is public knowledge.
 * @returns undefined without a sample network, or if the signer was revoked
 */
export const prepareDevelopmentSigner = async (
  { core, services }: App,
  config: Config,
): Promise<{ readonly uuid: string; readonly fid: number } | undefined> => {
  const { db } = core;
  if (!services.approvesLocally || !(await findSampleAuthor(db, FID))) return undefined;
  const id = EXAMPLE_SIGNER_UUID;
  const seed = derive('castellan development signer');
  const key = seedSigner.publicKey(seed);
  if (!(await selectManagedSigner(db, id))) {
    const sealedSeed = config.masterKey.seal(SIGNER_SEAL.purpose, seed, id);
    const permissions = DEFAULT_PERMISSIONS;
    const signer = { id, appId: DEFAULT_APP_ID, publicKey: key, sealedSeed, permissions, createdAt: new Date() };
    await insertManagedSigner(db, signer);
  }
  const holder = await selectAccountByKey(db, key, KeyType.signer);
  if (!holder) await addLocalKey(core, { fid: FID, key, keyType: KeyType.signer });
  return holder?.active === false ? undefined : { uuid: id, fid: FID };
};
