import { randomUUID } from 'node:crypto';
import { type Address, bytesToHex, getAddress, hexToBytes } from 'viem';
import type { MasterKey } from '../../config/secret.js';
import { AppError, invalidField, notFound } from '../../error.js';
import type { Database, Session } from '../../store/database.js';
import { WALLET_SEAL } from '../../store/sealed.js';
import { insertWallet, selectSealedKey, selectWallet, selectWalletByAddress, type WalletRow } from '../../store/wallet.js';
import { addressOfKey, drawKey, isKey } from './wallet-key.js';

/** A wallet whose owner asked for it. */
export interface UsableWallet {
  readonly id: string;
  /** With the checksum of ERC-55. */
  readonly address: Address;
}

/** The wallets that operations of organizations pay from. */
export interface Wallets {
  /**
   * @param walletId the header `x-wallet-id` as it came; undefined: the request had none
   * @returns the organization's wallet of that id.
   * @throws AppError with property `x-wallet-id`: `invalid` when it is absent or no UUID, `not_found`, `forbidden` for
   *   another organization's.
   */
  use(organizationId: string, walletId: string | undefined): Promise<UsableWallet>;
}

const HEADER = 'x-wallet-id';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @returns the account of a stored wallet. */
export const addressOf = ({ address }: Pick<WalletRow, 'address'>): Address => getAddress(bytesToHex(address));

export const createWallets = ({ db }: { readonly db: Database }): Wallets => ({
  use: async (organizationId, walletId) => {
    if (walletId === undefined || walletId === '') {
      throw invalidField(HEADER, `Send the header ${HEADER}: the id of the wallet that pays.`);
    }
    if (!UUID.test(walletId)) {
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
});

/**
 * Makes a wallet of a new key, or of one that was made elsewhere.
 * @param wallet `key`: 32 bytes, which are left as they are; `id`: a new one where none is given
 * @throws AppError 'invalid' with property `key` for bytes that are no key, 'not_found' for an unknown organization,
 *   'conflict' when the account is a wallet already
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
  const key = wallet.key ? Buffer.from(Uint8Array.from(wallet.key).buffer) : drawKey();
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
 * Opens the key of a wallet while `work` runs, and wipes it then.
 * @param work signs; what it returns must not hold the key
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
