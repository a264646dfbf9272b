import { type Session, statement } from './database.js';

/** A wallet without its key. */
export interface WalletRow {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  /** 20 bytes. */
  readonly address: Buffer;
  readonly createdAt: Date;
}

const COLUMNS = 'id, organization_id as "organizationId", name, address, created_at as "createdAt"';

const byId = statement<WalletRow>('wallet_by_id', `select ${COLUMNS} from wallet where id = $1::uuid`);

/** @returns the wallet of that id, whichever organization's it is. */
export const selectWallet = async (session: Session, id: string): Promise<WalletRow | undefined> =>
  (await session.read(byId, [id]))[0];

/** @returns the wallets of all organizations or of one, oldest first. */
export const selectWallets = async (session: Session, organizationId?: string): Promise<WalletRow[]> =>
  session.select(
    `select ${COLUMNS} from wallet where $1::uuid is null or organization_id = $1::uuid order by created_at, id`,
    [organizationId ?? null],
  );

/** @returns the key of a wallet as it is sealed (`WALLET_SEAL`). */
export const selectSealedKey = async (session: Session, id: string): Promise<Buffer | undefined> =>
  (await session.select<{ key: Buffer }>('select sealed_key as key from wallet where id = $1::uuid', [id]))[0]?.key;

/** @returns the stored wallet; undefined when the address is one already, or there is no such organization. */
export const insertWallet = async (
  session: Session,
  wallet: Omit<WalletRow, 'address'> & { readonly address: Uint8Array; readonly sealedKey: Uint8Array },
): Promise<WalletRow | undefined> =>
  (
    await session.run<WalletRow>(
      `insert into wallet (id, organization_id, name, address, sealed_key, created_at)
       select $1::uuid, o.id, $3, $4, $5, $6 from organization o where o.id = $2::uuid
       on conflict (address) do nothing
       returning ${COLUMNS}`,
      [wallet.id, wallet.organizationId, wallet.name, wallet.address, wallet.sealedKey, wallet.createdAt],
    )
  )[0];

/** @returns the wallet of that account, whichever organization's it is. */
export const selectWalletByAddress = async (session: Session, address: Uint8Array): Promise<WalletRow | undefined> =>
  (await session.select<WalletRow>(`select ${COLUMNS} from wallet where address = $1`, [address]))[0];
