import type { Database } from '../src/db/database.js';
import { importBuilt } from './build-import.js';

const fail = (): never => {
  throw new Error('the benchmark has no chain');
};
const NO_NETWORKS = { configured: [], client: fail, chainId: fail };

/** A signer of the default app, and the account that approved it. */
export interface BenchSigner {
  readonly uuid: string;
  readonly fid: number;
}

/** Removes all signers: they are sealed with this run's key, and a service with another one would not start. */
export const forgetSigners = async (db: Database): Promise<void> => {
  await db.run('delete from managed_signer');
};

/**
 * Creates signers as the service does, and approves each for another registered account.
 *
 * @param masterKey of the service that will use them, 64 hex digits
 * @param count maximum; fewer if there are fewer accounts
 */
export const makeSigners = async (db: Database, masterKey: string, count: number): Promise<BenchSigner[]> => {
  const { migrate } = await importBuilt<typeof import('../src/db/migrate.js')>('db/migrate.js');
  const access = await importBuilt<typeof import('../src/access/key.js')>('access/key.js');
  const { createSigners } = await importBuilt<typeof import('../src/signer/signers.js')>('signer/signers.js');
  const { MasterKey } = await importBuilt<typeof import('../src/config/secret.js')>('config/secret.js');
  const key = MasterKey.parse(masterKey);
  if (key === undefined) throw new Error('the master key of the benchmark has another form than the service takes');
  await migrate(db);
  await forgetSigners(db);
  await access.ensureDefaultAccess(db, undefined, new Date());
  const accounts = await db.run<{ fid: number }>(
    'select fid from account where registered_at is not null order by md5(fid::text) limit $1',
    [count],
  );
  const signing = createSigners({ db, networks: NO_NETWORKS, masterKey: key, clock: Date.now });
  const signers: BenchSigner[] = [];
  for (const { fid } of accounts) {
    const { uuid, publicKey } = await signing.create(access.DEFAULT_APP_ID);
    await db.run(
      `insert into signer_key (fid, key, key_type, active, block_number, log_index, decided_at)
       values ($1, $2, 1, true, 1, 0, now())`,
      [fid, publicKey],
    );
    signers.push({ uuid, fid });
  }
  return signers;
};
