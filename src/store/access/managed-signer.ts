import { type Session, statement } from '../database.js';
import { keyHolder } from './account-by-key.js';

/** A key made here, with all that decides its state. */
export interface ManagedSignerRow {
  readonly id: string;
  readonly appId: string;
  /** 32 bytes. */
  readonly publicKey: Buffer;
  readonly sealedSeed: Buffer;
  readonly permissions: readonly string[];
  /** The account that it is tied to; null before the first approval was seen. */
  readonly tiedFid: number | null;
  /** The account that holds the key, or held it; null while none ever did. */
  readonly fid: number | null;
  /** Whether that account holds it now; null while none ever did. */
  readonly active: boolean | null;
  /** Token of the approval page and end of the latest signed key request; null when the app made none. */
  readonly token: string | null;
  readonly deadline: Date | null;
}

const STANDING = `
  select m.id, m.app_id as "appId", m.public_key as "publicKey", m.sealed_seed as "sealedSeed", m.permissions,
         m.fid as "tiedFid", k.fid, k.active, r.token, r.deadline
    from managed_signer m ${keyHolder('m.public_key', '1')}
    left join signed_key_request r on r.key = m.public_key and r.key_type = 1 and r.app_id = m.app_id`;

const byId = statement<ManagedSignerRow>('managed_signer_by_id', `${STANDING} where m.id = $1::uuid`);

const ofHolders = statement<ManagedSignerRow>(
  'managed_signer_of_holder',
  `${STANDING}
    where m.app_id = $1::uuid and k.fid = any($2::bigint[])
      and m.public_key in (select key from signer_key where fid = any($2::bigint[]) and key_type = 1)
    order by m.created_at, m.id`,
);

/** @returns the signers of an app that these accounts hold or held, oldest first. */
export const selectManagedSignersOf = async (
  session: Session,
  appId: string,
  fids: readonly number[],
): Promise<ManagedSignerRow[]> => session.read(ofHolders, [appId, fids]);

/** @returns the signers of all apps, oldest first. */
export const selectManagedSigners = async (session: Session): Promise<ManagedSignerRow[]> =>
  session.select(`${STANDING} order by m.created_at, m.id`);

/** @returns the signer of that uuid, whichever app's it is; undefined when there is none. */
export const selectManagedSigner = async (session: Session, id: string): Promise<ManagedSignerRow | undefined> =>
  (await session.read(byId, [id]))[0];

export interface NewManagedSigner {
  readonly id: string;
  readonly appId: string;
  readonly publicKey: Uint8Array;
  readonly sealedSeed: Uint8Array;
  readonly permissions: readonly string[];
  readonly createdAt: Date;
}

export const insertManagedSigner = async (session: Session, signer: NewManagedSigner): Promise<void> => {
  await session.kysely
    .insertInto('managed_signer')
    .values({
      id: signer.id,
      app_id: signer.appId,
      public_key: Buffer.from(signer.publicKey),
      sealed_seed: Buffer.from(signer.sealedSeed),
      permissions: [...signer.permissions],
      created_at: signer.createdAt,
    })
    .execute();
};

/** Ties a signer to the account that approved it, unless it is tied already. */
export const updateManagedSignerFid = async (session: Session, id: string, fid: number): Promise<void> => {
  await session.run('update managed_signer set fid = $2 where id = $1::uuid and fid is null', [id, fid]);
};

/** @returns whether there is such a signer. */
export const updateManagedSignerPermissions = async (
  session: Session,
  id: string,
  permissions: readonly string[],
): Promise<boolean> =>
  (
    await session.run('update managed_signer set permissions = $2::text[] where id = $1::uuid returning id', [
      id,
      permissions,
    ])
  ).length > 0;
