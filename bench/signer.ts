import type { Database } from '../src/store/database.js';
import { importBuilt } from './build-import.js';

/** A signer of the default app, as requests name it, and the account that approved it. */
export interface BenchSigner {
  readonly uuid: string;
  readonly fid: number;
}

/** Removes all signers: they are under a key of this run, and a service with another one would not start beside them. */
export const forgetSigners = async (db: Database): Promise<void> => {
  await db.run('delete from managed_signer');
};

/**
 * Makes signers as the service does, and lets accounts that are registered approve them, one each.
 *
 * @param masterKey of the service that will use them, 64 hex digits
 * @param count at most; fewer where there are fewer accounts
 */
export const makeSigners = async (db: Database, masterKey: string, count: number): Promise<BenchSigner[]> => {
  const { migrate } = await importBuilt<typeof import('../src/store/migrate.js')>('store/migrate.js');
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
  const signing = createSigners({ db, masterKey: key, clock: Date.now });
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
