import type { Session } from '../../db/statement.js';
import { selectQuery, writeQuery } from '../query-function.js';
import { type Camel, columnList, insertText, type Written } from '../table.js';
import type { Tables } from '../tables.js';

const COLUMNS = [
  'id',
  'app_id',
  'api_key_id',
  'wallet_id',
  'network',
  'asset',
  'domain_name',
  'domain_version',
  'recipient',
  'value',
  'valid_after',
  'valid_before',
  'nonce',
  'resource',
  'requirement',
  'created_at',
] as const;

/** A payment that a wallet authorized by signature. */
export type X402AuthorizationRow = Camel<Written<Tables['x402_authorization']>>;

/** One token of one wallet. */
export interface WalletAsset {
  readonly walletId: string;
  readonly network: string;
  /** 20 bytes. */
  readonly asset: Uint8Array;
}

const keyOf = ({ walletId, network, asset }: WalletAsset) => ({ walletId, network, asset });

/** Locks a wallet until the end of the transaction, so that requests at the same time do not exceed a limit together. */
export const lockWallet = writeQuery(
  'lock_wallet',
  'select id from wallet where id = :walletId::uuid for no key update',
).done((walletId: string) => ({ walletId }));

export const insertX402Authorization = writeQuery(
  'insert_x402_authorization',
  insertText('x402_authorization', COLUMNS),
).done();

export const selectX402Authorization = selectQuery(
  'x402_authorization_by_id',
  `select ${columnList(COLUMNS)} from x402_authorization where id = :id::uuid`,
).first((id: string) => ({ id }));

/**
 * @param now Unix seconds
 * @param since no authorization from before is valid now
 * @returns nonces of the authorizations that are not expired, those of the highest values, at most `limit`
 */
export const selectOpenX402Nonces = selectQuery(
  'open_x402_nonces',
  `select nonce from x402_authorization
    where wallet_id = :walletId::uuid and network = :network and asset = :asset and created_at > :since and valid_before > :now
    order by value desc limit :limit`,
).column(
  'nonce',
  (
    wallet: WalletAsset,
    { now, since, limit }: { readonly now: number; readonly since: Date; readonly limit: number },
  ) => ({ ...keyOf(wallet), since, now, limit }),
);

const sumOf = writeQuery(
  'x402_sum',
  `select coalesce(sum(value), 0)::text as "total!",
      coalesce(sum(value) filter (where valid_before > :now and nonce <> all(:spent::bytea[])), 0)::text as "open!"
    from x402_authorization
    where wallet_id = :walletId::uuid and network = :network and asset = :asset and created_at > :since`,
).one();

/** Sums in the smallest unit of the token. */
export interface X402Sum {
  /** What the wallet signed for since then. */
  readonly total: bigint;
  /** What of it may still be collected. */
  readonly open: bigint;
}

/**
 * @param now Unix seconds
 * @param spent nonces of authorizations that were collected already
 */
export const selectX402Sum = async (
  session: Session,
  wallet: WalletAsset,
  { now, since, spent }: { readonly now: number; readonly since: Date; readonly spent: readonly Uint8Array[] },
): Promise<X402Sum> => {
  // Not a `select` outside of a transaction: the caller has locked the wallet in this one.
  const { total, open } = await sumOf(session, { ...keyOf(wallet), since, now, spent });
  return { total: BigInt(total), open: BigInt(open) };
};

/** Deletes authorizations from before a time, which must be expired. */
export const deleteOldX402Authorizations = writeQuery(
  'delete_old_x402_authorizations',
  'delete from x402_authorization where created_at < :before',
).done((before: Date) => ({ before }));
