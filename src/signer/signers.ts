import { randomUUID } from 'node:crypto';
import type { MasterKey } from '../config/secret.js';
import type { Database } from '../db/database.js';
import { AppError, invalidField, notFound } from '../error.js';
import type { Networks } from '../onchain/network.js';
import {
  insertManagedSigner,
  type ManagedSignerRow,
  type SignerFilter,
  selectManagedSigner,
  selectManagedSignersOf,
  selectManagedSignersOfApp,
  updateManagedSignerFid,
} from '../store/access/managed-signer.js';
import { SIGNER_SEAL } from '../store/access/sealed-column.js';
import { KeyType } from '../store/access/signed-key-request.js';
import { isUuid } from '../uuid.js';
import { type KeyRequest, registerKeyRequest } from './key-request.js';
import { type KeyState, stateOf } from './key-state.js';
import { allows, DEFAULT_PERMISSIONS, type SignerPermission } from './permission.js';
import { generateSeed, seedSigner } from './seed.js';

/** An approved signer with the required permission. */
export interface UsableSigner {
  readonly uuid: string;
  /** The account of the signer. */
  readonly fid: number;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** @returns the 64-byte Ed25519 signature; the seed is decrypted for this call only */
  sign(bytes: Uint8Array): Uint8Array;
}

/** A signer as its app sees it. */
export interface ManagedSigner {
  readonly uuid: string;
  readonly publicKey: Uint8Array;
  readonly permissions: readonly string[];
  readonly state: KeyState;
  /** The account that has or had the key. */
  readonly fid: number | undefined;
  /** Token of the approval page; undefined unless approval is pending. */
  readonly token: string | undefined;
}

/** Keys with which apps sign for accounts that approved them. */
export interface Signers {
  create(appId: string): Promise<ManagedSigner>;
  /**
   * @throws AppError with property `signer_uuid`: `invalid` if it is not a UUID, `not_found`, `forbidden` for another
   *   app's signer
   */
  look(appId: string, uuid: string): Promise<ManagedSigner>;
  /**
   * Verifies and stores a signed key request for the signer.
   * @returns the signer after the request
   * @throws AppError as `look` and `registerKeyRequest` do
   */
  register(appId: string, uuid: string, request: KeyRequest): Promise<ManagedSigner>;
  /** @returns the app's signers that one of these accounts has or had, oldest first */
  list(appId: string, fids: readonly number[]): Promise<ManagedSigner[]>;
  /** @returns the app's signers that fit, newest first */
  listOf(appId: string, filter: SignerFilter): Promise<ManagedSigner[]>;
  /**
   * @returns the signer, ready to sign
   * @throws AppError as `look` does, and `forbidden` if it is not approved or lacks the permission
   */
  use(appId: string, uuid: string, permission: SignerPermission): Promise<UsableSigner>;
}

const forbidden = (message: string): AppError =>
  new AppError('forbidden', 'Forbidden', message, { property: 'signer_uuid' });

const NOT_APPROVED: Readonly<Record<Exclude<KeyState, 'approved'>, string>> = {
  generated:
    'This signer is not approved by any account yet: register a signed key for it, then let the user approve it.',
  pending_approval: 'This signer is not approved yet: the user must open its signer_approval_url.',
  revoked: 'This signer was revoked: make another one, or sign a new key request where only its deadline passed.',
};

const viewed = (row: ManagedSignerRow, now: number): ManagedSigner => {
  const state = stateOf(row, now);
  return {
    uuid: row.id,
    publicKey: row.publicKey,
    permissions: row.permissions,
    state,
    fid: row.fid ?? undefined,
    token: state === 'pending_approval' ? (row.token ?? undefined) : undefined,
  };
};

/** @param dependencies `clock` returns Unix milliseconds */
export const createSigners = (dependencies: {
  readonly db: Database;
  readonly networks: Networks;
  readonly masterKey: MasterKey;
  readonly clock: () => number;
}): Signers => {
  const { db, networks, masterKey, clock } = dependencies;

  const own = async (appId: string, uuid: string): Promise<ManagedSignerRow> => {
    if (!isUuid(uuid)) throw invalidField('signer_uuid', 'signer_uuid must be a UUID, as creating a signer gives it');
    const row = await selectManagedSigner(db, uuid);
    if (!row) throw notFound('There is no signer with this signer_uuid.', 'signer_uuid');
    if (row.appId !== appId) throw forbidden('This signer belongs to another app.');
    if (row.tiedFid === null && row.fid !== null) await updateManagedSignerFid(db, row.id, row.fid);
    return row;
  };

  const sign = (row: ManagedSignerRow, bytes: Uint8Array): Uint8Array => {
    const seed = masterKey.open(SIGNER_SEAL.purpose, row.sealedSeed, row.id);
    try {
      return seedSigner.sign(seed, bytes);
    } finally {
      seed.fill(0);
    }
  };

  return {
    create: async (appId) => {
      const uuid = randomUUID();
      const seed = generateSeed();
      const permissions = DEFAULT_PERMISSIONS;
      try {
        const publicKey = seedSigner.publicKey(seed);
        const sealedSeed = masterKey.seal(SIGNER_SEAL.purpose, seed, uuid);
        await insertManagedSigner(db, {
          id: uuid,
          appId,
          publicKey,
          sealedSeed,
          permissions,
          createdAt: new Date(clock()),
        });
        return { uuid, publicKey, permissions, state: 'generated', fid: undefined, token: undefined };
      } finally {
        seed.fill(0);
      }
    },
    look: async (appId, uuid) => viewed(await own(appId, uuid), clock()),
    register: async (appId, uuid, request) => {
      const { publicKey: key } = await own(appId, uuid);
      const requested = { appId, key, keyType: KeyType.signer, property: 'signer_uuid' } as const;
      await registerKeyRequest({ db, networks }, requested, request, clock());
      return viewed(await own(appId, uuid), clock());
    },
    list: async (appId, fids) => {
      const now = clock();
      return (await selectManagedSignersOf(db, appId, fids)).map((row) => viewed(row, now));
    },
    listOf: async (appId, filter) => {
      const now = clock();
      return (await selectManagedSignersOfApp(db, appId, filter)).map((row) => viewed(row, now));
    },
    use: async (appId, uuid, permission) => {
      const row = await own(appId, uuid);
      const state = stateOf(row, clock());
      if (state !== 'approved') throw forbidden(NOT_APPROVED[state]);
      if (!allows(row.permissions, permission)) {
        const lacking = permission === 'ANY' ? 'every permission to write' : `the permission ${permission}`;
        throw forbidden(`This signer lacks ${lacking}: it has ${row.permissions.join(', ')}.`);
      }
      // An approved key has an account.
      return { uuid: row.id, fid: row.fid as number, publicKey: row.publicKey, sign: (bytes) => sign(row, bytes) };
    },
  };
};
