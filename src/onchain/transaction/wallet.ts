import { randomUUID } from 'node:crypto';
import { type Address, bytesToHex, getAddress, hexToBytes } from 'viem';
import type { MasterKey } from '../../config/secret.js';
import type { Database } from '../../db/database.js';
import type { Session } from '../../db/statement.js';
import { AppError, invalidField, notFound } from '../../error.js';
import { WALLET_SEAL } from '../../store/access/sealed-column.js';
import {
  insertWallet,
  selectSealedKey,
  selectWallet,
  selectWalletByAddress,
  type WalletRow,
} from '../../store/onchain/wallet.js';
import { isUuid } from '../../uuid.js';
import { addressOfKey, generateKey, isKey } from './wallet-key.js';

/** A wallet that the requesting organization owns. */
export interface UsableWallet {
  readonly id: string;
  /** With checksum (ERC-55). */
  readonly address: Address;
}

const HEADER = 'x-wallet-id';

export const addressOf = ({ address }: Pick<WalletRow, 'address'>): Address => getAddress(bytesToHex(address));

/** Looks up the wallets that pay for an organization's transactions. */
export const createWallets = ({ db }: { readonly db: Database }) => ({
  /**
   * @param walletId the header `x-wallet-id`; undefined if absent
   * @returns the organization's wallet with that id
   * @throws AppError with property `x-wallet-id`: `invalid` if it is absent or not a UUID, `not_found`, `forbidden` for
   *   the wallet of another organization
   */
  use: async (organizationId: string, walletId: string | undefined): Promise<UsableWallet> => {
    if (walletId === undefined || walletId === '') {
      throw invalidField(HEADER, `Send the header ${HEADER}: the id of the wallet that pays.`);
    }
    if (!isUuid(walletId)) {
      throw invalidField(HEADER, `${HEADER} must be a UUID, as \`castellan wallet list\` shows it.`);
    }
    const row = await selectWallet(db, walletId);
    if (!row) throw notFound(`There is no wallet with this ${HEADER}.`, HEADER);
    if (row.organizationId !== organizationId) {
      throw new AppError('forbidden', 'Forbidden', 'This wallet belongs to another organization.', {
        property: HEADER,
      });
    }
    return { id: row.id, address: addressOf(row) };
  },
  /** @returns a wallet of the operator's configuration, of whatever organization; undefined if there is none */
  find: async (walletId: string): Promise<UsableWallet | undefined> => {
    const row = await selectWallet(db, walletId);
    return row && { id: row.id, address: addressOf(row) };
  },
});

export type Wallets = ReturnType<typeof createWallets>;

/**
 * Inserts a wallet with a new key or an imported one.
 * @param wallet `key`: 32 bytes, which are not modified; `id`: random if absent
 * @throws AppError 'invalid' with property `key` for an invalid key, 'not_found' for an unknown organization,
 *   'conflict' if the account is a wallet already
 */
export const makeWallet = async (
  session: Session,
  masterKey: MasterKey,
  wallet: {
    readonly id?: string;
    readonly organizationId: string;
    readonly name: string;
    readonly key?: Uint8Array;
    readonly now: Date;
  },
): Promise<UsableWallet> => {
  if (wallet.key && !isKey(wallet.key)) {
    throw invalidField('key', 'These are not the 32 bytes of a private key of secp256k1.');
  }
  const key = wallet.key ? Buffer.from(Uint8Array.from(wallet.key).buffer) : generateKey();
  try {
    const { id = randomUUID(), organizationId, name, now: createdAt } = wallet;
    const address = hexToBytes(addressOfKey(key));
    const sealedKey = masterKey.seal(WALLET_SEAL.purpose, key, id);
    const made = await insertWallet(session, { id, organizationId, name, address, sealedKey, createdAt });
    if (made) return { id, address: addressOf(made) };
    const held = await selectWalletByAddress(session, address);
    if (!held) throw notFound(`There is no organization ${organizationId}.`, 'organization');
    const message = `${addressOf(held)} is wallet ${held.id} of organization ${held.organizationId} already.`;
    throw new AppError('conflict', 'WalletHeld', message);
  } finally {
    key.fill(0);
  }
};

/**
 * Decrypts the key of a wallet, runs `work` with it and wipes it.
 * @param work must not return or keep the key
 */
export const withWalletKey = async <T>(
  session: Session,
  masterKey: MasterKey,
  walletId: string,
  work: (key: Uint8Array) => T,
): Promise<T> => {
  const sealed = await selectSealedKey(session, walletId);
  if (!sealed) throw new Error(`wallet ${walletId} is gone`);
  const key = masterKey.open(WALLET_SEAL.purpose, sealed, walletId);
  try {
    return work(key);
  } finally {
    key.fill(0);
  }
};
