import { type RowOf, readQuery, selectQuery, writeQuery } from '../query-function.js';
import type { Camel, Written } from '../table.js';
import type { Tables } from '../tables.js';

const COLUMNS = `id, organization_id as "organizationId", name, address, created_at as "createdAt"`;

/** A wallet without its key. */
export type WalletRow = RowOf<'wallet_by_id'>;

/** @returns the wallet of that id, of any organization. */
export const selectWallet = readQuery('wallet_by_id', `select ${COLUMNS} from wallet where id = :id::uuid`).first(
  (id: string) => ({ id }),
);

/** @returns the wallets of all organizations or of one, oldest first. */
export const selectWallets = selectQuery(
  'select_wallets',
  `select ${COLUMNS} from wallet where :organizationId?::uuid is null or organization_id = :organizationId?::uuid order by created_at, id`,
).rows((organizationId?: string) => ({ organizationId: organizationId ?? null }));

/** @returns the sealed key of a wallet (`WALLET_SEAL`). */
export const selectSealedKey = selectQuery(
  'select_sealed_key',
  'select sealed_key as key from wallet where id = :id::uuid',
).value('key', (id: string) => ({ id }));

/** @returns the stored wallet; undefined for an address that has a wallet already, and for an unknown organization. */
export const insertWallet = writeQuery(
  'insert_wallet',
  `insert into wallet (id, organization_id, name, address, sealed_key, created_at)
    select :id::uuid, o.id, :name, :address, :sealedKey, :createdAt from organization o where o.id = :organizationId::uuid
    on conflict (address) do nothing
    returning ${COLUMNS}`,
).first((wallet: Camel<Written<Tables['wallet']>>) => ({
  id: wallet.id,
  organizationId: wallet.organizationId,
  name: wallet.name,
  address: wallet.address,
  sealedKey: wallet.sealedKey,
  createdAt: wallet.createdAt,
}));

/** @returns the wallet of that account, of any organization. */
export const selectWalletByAddress = selectQuery(
  'select_wallet_by_address',
  `select ${COLUMNS} from wallet where address = :address`,
).first((address: Uint8Array) => ({ address }));

/** @returns how many transactions of wallets are in no block yet; a wallet without one is missing */
export const countOpenTransactions = selectQuery(
  'count_open_transactions',
  `select wallet_id as "walletId", count(*)::integer as count from chain_transaction
    where state = 'open' and wallet_id = any(:walletIds::uuid[]) group by wallet_id`,
).rows((walletIds: readonly string[]) => ({ walletIds }));
