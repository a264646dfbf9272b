import { readQuery, selectQuery, writeQuery } from '../query-function.js';
import { insertText } from '../table.js';
import { keyHolder } from './account-by-key.js';
import type { KeyStatusRow } from './signed-key-request.js';

/** A key made here, with the columns that its state follows from. */
export interface ManagedSignerRow extends Pick<KeyStatusRow, 'fid' | 'active'> {
  readonly id: string;
  readonly appId: string;
  /** 32 bytes. */
  readonly publicKey: Buffer;
  readonly sealedSeed: Buffer;
  readonly permissions: readonly string[];
  /** The first account that approved it; null before. */
  readonly tiedFid: number | null;
  /** Token of the approval page and end of the latest signed key request; null when the app made none. */
  readonly token: string | null;
  readonly deadline: Date | null;
}

const STANDING = `
  select m.id as "id!", m.app_id as "appId!", m.public_key as "publicKey!", m.sealed_seed as "sealedSeed!",
         m.permissions as "permissions!",
         m.fid as "tiedFid", k.fid, k.active, r.token, r.deadline
    from managed_signer m ${keyHolder('m.public_key', '1')}
    left join signed_key_request r on r.key = m.public_key and r.key_type = 1 and r.app_id = m.app_id`;

/** @returns the signers of an app that these accounts hold or held, oldest first. */
export const selectManagedSignersOf = readQuery(
  'managed_signer_of_holder',
  `${STANDING}
    where m.app_id = :appId::uuid and k.fid = any(:fids::bigint[])
      and m.public_key in (select key from signer_key where fid = any(:fids::bigint[]) and key_type = 1)
    order by m.created_at, m.id`,
).rows((appId: string, fids: readonly number[]) => ({ appId, fids }));

/** Which signers of an app are read. */
export interface SignerFilter {
  /** Only those whose key an account has now. */
  readonly isApproved: boolean;
  /** Only those that this account holds or held; undefined: of all. */
  readonly fid: number | undefined;
  readonly limit: number;
}

/** @returns the signers of an app that fit, newest first. */
export const selectManagedSignersOfApp = selectQuery(
  'managed_signer_of_app',
  `${STANDING}
    where m.app_id = :appId::uuid and (k.active or not :isApproved::boolean)
      and (:fid?::bigint is null
           or (k.fid = :fid?::bigint
               and m.public_key in (select key from signer_key where fid = :fid?::bigint and key_type = 1)))
    order by m.created_at desc, m.id desc limit :limit`,
).rows((appId: string, { isApproved, fid, limit }: SignerFilter) => ({
  appId,
  isApproved,
  fid: fid ?? null,
  limit,
}));

/** @returns the signers of all apps, oldest first. */
export const selectManagedSigners = selectQuery(
  'select_managed_signers',
  `${STANDING} order by m.created_at, m.id`,
).rows();

/** @returns the signer of that uuid, whichever app's it is; undefined when there is none. */
export const selectManagedSigner = readQuery('managed_signer_by_id', `${STANDING} where m.id = :id::uuid`).first(
  (id: string) => ({ id }),
);

const NEW = ['id', 'app_id', 'public_key', 'sealed_seed', 'permissions', 'created_at'] as const;

export const insertManagedSigner = writeQuery('managed_signer_insert', insertText('managed_signer', NEW)).done();

/** Stores the first account that approved a signer; later ones are ignored. */
export const updateManagedSignerFid = writeQuery(
  'update_managed_signer_fid',
  'update managed_signer set fid = :fid where id = :id::uuid and fid is null',
).done((id: string, fid: number) => ({ id, fid }));

/** @returns whether there is such a signer. */
export const updateManagedSignerPermissions = writeQuery(
  'update_managed_signer_permissions',
  'update managed_signer set permissions = :permissions::text[] where id = :id::uuid returning id',
).hasRows((id: string, permissions: readonly string[]) => ({ id, permissions }));
