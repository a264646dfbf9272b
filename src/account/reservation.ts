import { randomUUID } from 'node:crypto';
import { type Address, encodeFunctionData, hexToBytes, zeroAddress } from 'viem';
import { AppError } from '../error.js';
import { readRegistrationPrice, withPriceMargin } from '../onchain/registry/account-state.js';
import { bundler, registryClient } from '../onchain/registry/contract.js';
import { signHash } from '../onchain/registry/hash-signature.js';
import { registerHash } from '../onchain/registry/typed-data.js';
import type { Call } from '../onchain/transaction/call.js';
import type { UsableWallet } from '../onchain/transaction/wallet.js';
import { addressOfKey, generateKey } from '../onchain/transaction/wallet-key.js';
import { RESERVED_ACCOUNT_SEAL } from '../store/access/sealed-column.js';
import {
  claimReservedAccount,
  insertReservedAccount,
  lockAppReservations,
  type ReservedAccountRow,
  selectReservationCount,
  updateAccountRegistered,
  updateReservationEnd,
  updateReservedState,
} from '../store/registry/reserved-account.js';
import { type AccountDependencies, RECEIPT_WAIT_MS } from './dependencies.js';
import { registeredFid } from './onchain-registration.js';

/** How long an account is reserved, as the interface says. */
export const RESERVATION_MS = 10 * 60_000;
/** A request that waits for a registration ends within this time, so another one may continue it afterwards. */
const CLAIM_MS = 2 * RECEIPT_WAIT_MS;
/** How long the contract accepts a registration that waits for its block, in seconds. */
const DEADLINE_S = 86_400;

/** Nobody may take an account back from its person: a transfer does not change the recovery address. */
const NO_RECOVERY = zeroAddress;

/** For whom an account is reserved, and who pays for it. */
interface Reserver {
  readonly appId: string;
  readonly wallet: UsableWallet;
}

type Pending = Pick<ReservedAccountRow, 'id' | 'transactionId' | 'reservedUntil'>;

const tooMany = (max: number): AppError => {
  const message = `${max} accounts are reserved for this app already. Register them, or wait until their reservations end after ten minutes.`;
  return new AppError('too_many', 'TooManyReservations', message, { retryAfter: RESERVATION_MS / 1000 });
};

/**
 * Sends the registration of an account with a new key.
 * @param appId the app that it is reserved for; undefined: it is registered in advance
 */
export const registerReserved = async (
  deps: AccountDependencies,
  wallet: UsableWallet,
  appId: string | undefined,
): Promise<Pending> => {
  const { clock, masterKey, networks, registry } = deps;
  const id = randomUUID();
  const key = generateKey();
  let reservedUntil = new Date(clock());
  try {
    const custody: Address = addressOfKey(key);
    const sealedKey = masterKey.seal(RESERVED_ACCOUNT_SEAL.purpose, key, id);
    const plan = async (): Promise<Call> => {
      const price = await readRegistrationPrice(registryClient(networks), 0);
      const deadline = BigInt(Math.floor(clock() / 1000) + DEADLINE_S);
      const registration = { to: custody, recovery: NO_RECOVERY, deadline };
      const sig = signHash(key, registerHash({ ...registration, nonce: 0n }));
      const data = encodeFunctionData({
        abi: bundler.abi,
        functionName: 'register',
        args: [{ ...registration, sig }, [], 0n],
      });
      return { to: bundler.address, data, value: withPriceMargin(price), purpose: 'register' };
    };
    const sent = await registry.send({
      spenderId: appId ?? wallet.id,
      wallet,
      plan,
      written: async (session, { id: transactionId }) => {
        const now = clock();
        if (appId !== undefined) {
          await lockAppReservations(session, appId);
          const count = await selectReservationCount(session, appId, new Date(now));
          if (count >= deps.settings.maxReservations) throw tooMany(deps.settings.maxReservations);
        }
        // Nobody waits for one that is registered in advance.
        reservedUntil = new Date(appId === undefined ? now : now + CLAIM_MS);
        await insertReservedAccount(session, {
          id,
          walletId: wallet.id,
          transactionId,
          fid: null,
          custody: hexToBytes(custody),
          sealedKey,
          state: 'registering',
          appId: appId ?? null,
          reservedUntil,
          createdAt: new Date(now),
        });
      },
    });
    return { id, transactionId: sent.id, reservedUntil };
  } finally {
    key.fill(0);
  }
};

/**
 * Waits until the account is registered. It is then reserved if an app waits for it, and free otherwise.
 * @returns its fid; undefined if the transaction is not mined in time
 * @throws AppError if the contract rejected the registration
 */
export const awaitRegistered = async (
  { db, registry, clock }: AccountDependencies,
  { id, transactionId }: Pick<Pending, 'id' | 'transactionId'>,
  timeoutMs: number,
): Promise<number | undefined> => {
  try {
    const receipt = await registry.receipt(transactionId, timeoutMs);
    if (!receipt) return undefined;
    const fid = registeredFid(receipt);
    await updateAccountRegistered(db, id, fid, new Date(clock()));
    return fid;
  } catch (error) {
    if (error instanceof AppError && error.code === 'TransactionFailed') {
      await updateReservedState(db, id, ['registering'], 'failed');
    }
    throw error;
  }
};

/** @returns an account of the wallet, or its registration in progress, claimed for the app; undefined if there is none */
const claimAccount = (
  { db, clock, settings }: AccountDependencies,
  { appId, wallet }: Reserver,
): Promise<ReservedAccountRow | undefined> =>
  db.transaction(async (session) => {
    await lockAppReservations(session, appId);
    const now = clock();
    const until = (ms: number) => new Date(now + ms);
    const found = await claimReservedAccount(session, {
      ...{ walletId: wallet.id, appId, now: new Date(now) },
      reservedUntil: until(RESERVATION_MS),
      claimedUntil: until(CLAIM_MS),
    });
    const count = await selectReservationCount(session, appId, new Date(now));
    const max = settings.maxReservations;
    if (count > max || (count === max && found === undefined)) throw tooMany(max);
    return found;
  });

/**
 * Reserves an account of the wallet for ten minutes, and registers one if none is free.
 * @returns its fid
 * @throws AppError `too_many` if the app has too many reservations, `internal` if the registration takes longer than a
 *   request may: a later request continues it
 */
export const reserveAccount = async (deps: AccountDependencies, reserver: Reserver): Promise<number> => {
  const { clock, db, networks } = deps;
  registryClient(networks);
  const claimed = await claimAccount(deps, reserver);
  if (claimed !== undefined && claimed.fid !== null) return claimed.fid;
  const pending = claimed ?? (await registerReserved(deps, reserver.wallet, reserver.appId));
  const fid = await awaitRegistered(deps, pending, RECEIPT_WAIT_MS);
  if (fid === undefined) {
    const message = 'An account is being registered. Please try again later, in about a minute.';
    throw new AppError('internal', 'TransactionPending', message);
  }
  if (await updateReservationEnd(db, pending, new Date(clock() + RESERVATION_MS))) return fid;
  // The claim ended before the registration was seen, so the account may be another request's.
  return reserveAccount(deps, reserver);
};
