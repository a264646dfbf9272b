import { readQuery, selectQuery, writeQuery } from '../query-function.js';
import { type Camel, columnList, type Written } from '../table.js';
import type { Tables } from '../tables.js';

const SHOWN = ['id', 'organization_id', 'name', 'address', 'created_at'] as const;
const COLUMNS = columnList(SHOWN);

/** A wallet without its key. */
export type WalletRow = Camel<Pick<Tables['wallet'], (typeof SHOWN)[number]>>;

/** @returns the wallet of that id, of any organization. */
export const selectWallet = readQuery<WalletRow>(
  'wallet_by_id',
  `select ${COLUMNS} from wallet where id = $1::uuid`,
).first((id: string) => [id]);

/** @returns the wallets of all organizations or of one, oldest first. */
export const selectWallets = selectQuery<WalletRow>(
  'select_wallets',
  `select ${COLUMNS} from wallet where $1::uuid is null or organization_id = $1::uuid order by created_at, id`,
).rows((organizationId?: string) => [organizationId ?? null]);

/** @returns the sealed key of a wallet (`WALLET_SEAL`). */
export const selectSealedKey = selectQuery<{ key: Buffer }>(
  'select_sealed_key',
  'select sealed_key as key from wallet where id = $1::uuid',
).value('key', (id: string) => [id]);

/** @returns the stored wallet; undefined for an address that has a wallet already, and for an unknown organization. */
export const insertWallet = writeQuery<WalletRow>(
  'insert_wallet',
  `insert into wallet (id, organization_id, name, address, sealed_key, created_at)
    select $1::uuid, o.id, $3, $4, $5, $6 from organization o where o.id = $2::uuid
    on conflict (address) do nothing
    returning ${COLUMNS}`,
).first((wallet: Camel<Written<Tables['wallet']>>) => [
  wallet.id,
  wallet.organizationId,
  wallet.name,
  wallet.address,
  wallet.sealedKey,
  wallet.createdAt,
]);

/** @returns the wallet of that account, of any organization. */
export const selectWalletByAddress = selectQuery<WalletRow>(
  'select_wallet_by_address',
  `select ${COLUMNS} from wallet where address = $1`,
).first((address: Uint8Array) => [address]);
