import { type Session, sql, statement } from '../../db/statement.js';
import { type Camel, columnList, first, type Written } from '../table.js';
import type { Tables } from '../tables.js';

const SHOWN = ['id', 'organization_id', 'name', 'address', 'created_at'] as const;
const COLUMNS = columnList(SHOWN);

/** A wallet without its key. */
export type WalletRow = Camel<Pick<Tables['wallet'], (typeof SHOWN)[number]>>;

const byId = statement<WalletRow>('wallet_by_id', `select ${COLUMNS} from wallet where id = $1::uuid`);

/** @returns the wallet of that id, of any organization. */
export const selectWallet = async (session: Session, id: string): Promise<WalletRow | undefined> =>
  (await session.read(byId, [id]))[0];

const selectWalletsSql = sql<WalletRow>(
  'select_wallets',
  `select ${COLUMNS} from wallet where $1::uuid is null or organization_id = $1::uuid order by created_at, id`,
);

/** @returns the wallets of all organizations or of one, oldest first. */
export const selectWallets = async (session: Session, organizationId?: string): Promise<WalletRow[]> =>
  session.select(selectWalletsSql, [organizationId ?? null]);

const selectSealedKeySql = sql<{ key: Buffer }>(
  'select_sealed_key',
  'select sealed_key as key from wallet where id = $1::uuid',
);

/** @returns the sealed key of a wallet (`WALLET_SEAL`). */
export const selectSealedKey = async (session: Session, id: string): Promise<Buffer | undefined> =>
  (await session.select(selectSealedKeySql, [id]))[0]?.key;

const insertWalletSql = sql<WalletRow>(
  'insert_wallet',
  `insert into wallet (id, organization_id, name, address, sealed_key, created_at)
    select $1::uuid, o.id, $3, $4, $5, $6 from organization o where o.id = $2::uuid
    on conflict (address) do nothing
    returning ${COLUMNS}`,
);

/** @returns the stored wallet; undefined for an address that has a wallet already, and for an unknown organization. */
export const insertWallet = (
  session: Session,
  wallet: Camel<Written<Tables['wallet']>>,
): Promise<WalletRow | undefined> =>
  first(
    session.run(insertWalletSql, [
      wallet.id,
      wallet.organizationId,
      wallet.name,
      wallet.address,
      wallet.sealedKey,
      wallet.createdAt,
    ]),
  );

const selectWalletByAddressSql = sql<WalletRow>(
  'select_wallet_by_address',
  `select ${COLUMNS} from wallet where address = $1`,
);

/** @returns the wallet of that account, of any organization. */
export const selectWalletByAddress = (session: Session, address: Uint8Array): Promise<WalletRow | undefined> =>
  first(session.select(selectWalletByAddressSql, [address]));
