import { bytesToHex, getAddress, type Hex, hexToBytes, isAddressEqual, parseEventLogs } from 'viem';
import { equalBytes } from '../bytes.js';
import { AppError, notFound } from '../error.js';
import { readAddressState } from '../onchain/registry/account-state.js';
import { idRegistry, registryClient } from '../onchain/registry/contract.js';
import { isSignedBy, transferHash } from '../onchain/registry/typed-data.js';
import type { Receipt } from '../onchain/transaction/call.js';
import type { UsableWallet } from '../onchain/transaction/wallet.js';
import { selectManagedSigner } from '../store/access/managed-signer.js';
import { RESERVED_ACCOUNT_SEAL } from '../store/access/sealed-column.js';
import { selectAttempts } from '../store/onchain/attempt.js';
import {
  type AccountRegistrationRow,
  deleteRegistration,
  insertRegistration,
  selectRegistration,
  updateRegistrationSent,
  updateRegistrationTransferred,
} from '../store/registry/account-registration.js';
import {
  lockReservedAccount,
  type ReservedAccountRow,
  selectReservedAccount,
  updateReservedState,
} from '../store/registry/reserved-account.js';
import { type AccountDependencies, RECEIPT_WAIT_MS } from './dependencies.js';
import { claimName, type NameDependencies, requireFreeName } from './name.js';
import { PROFILE_RETRY_MS, type ProfileDependencies, writeProfile } from './profile.js';
import { type RegistrationRequest, requireTimeLeft } from './registration-request.js';
import { stillPending } from './registry-sender.js';
import { chooseSigner, type SignerDependencies } from './signer.js';
import { transferCall } from './transfer.js';

export type RegistrationDependencies = AccountDependencies &
  NameDependencies &
  SignerDependencies &
  ProfileDependencies;

/** Who registers an account for a person. */
export interface Registrar {
  readonly appId: string;
  readonly wallet: UsableWallet;
}

const conflict = (message: string, property: string): AppError =>
  new AppError('conflict', 'Conflict', message, { property });

const notReserved = (fid: number): AppError =>
  notFound(
    `fid ${fid} is not reserved for this app and wallet, or its ten minutes are over. Reserve another one.`,
    'fid',
  );

/** @returns the account if it is reserved for the app and wallet */
const requireReserved = (
  row: ReservedAccountRow | undefined,
  { fid }: RegistrationRequest,
  { appId, wallet }: Registrar,
  now: number,
): ReservedAccountRow => {
  const isOwn = row !== undefined && row.appId === appId && row.walletId === wallet.id;
  if (!isOwn || row.state !== 'reserved' || (row.reservedUntil?.getTime() ?? 0) <= now) throw notReserved(fid);
  return row;
};

const requireSignature = async (
  { networks }: AccountDependencies,
  { fid, custody, deadline, signature }: RegistrationRequest,
): Promise<void> => {
  const state = await readAddressState(registryClient(networks), custody);
  if (state.fid !== undefined) {
    const message = `${custody} has the account ${state.fid} already: an address can have one. Use another address.`;
    throw conflict(message, 'requested_user_custody_address');
  }
  const nonce = state.transferNonce;
  const hash = transferHash({ fid: BigInt(fid), to: custody, nonce, deadline: BigInt(deadline) });
  if (await isSignedBy(networks, custody, { hash, signature })) return;
  const message = `signature is not by ${custody} over Transfer(fid, to, nonce, deadline) with nonce ${nonce} (EIP-712, domain "Farcaster IdRegistry", chain id 10).`;
  throw new AppError('invalid', 'InvalidField', message, { property: 'signature' });
};

/** Checks everything that can fail, then stores that the registration began. */
const begin = async (
  deps: RegistrationDependencies,
  request: RegistrationRequest,
  registrar: Registrar,
): Promise<void> => {
  const { db, clock } = deps;
  requireReserved(await selectReservedAccount(db, request.fid), request, registrar, clock());
  requireTimeLeft(request.deadline, clock());
  await requireSignature(deps, request);
  if (request.fname !== undefined) await requireFreeName(deps, request.fname, request.fid);
  const signerId = await chooseSigner(deps, registrar.appId, request.signer);
  await db.transaction(async (session) => {
    const now = clock();
    const locked = await lockReservedAccount(session, request.fid);
    // The same request in another process may have begun meanwhile.
    if (locked?.state === 'transferring') return;
    const { id } = requireReserved(locked, request, registrar, now);
    await updateReservedState(session, id, ['reserved'], 'transferring');
    await insertRegistration(session, {
      fid: request.fid,
      reservedAccountId: id,
      appId: registrar.appId,
      bodyDigest: request.digest,
      custody: hexToBytes(request.custody),
      signerId,
      transactionId: null,
      state: 'begun',
      profile: JSON.stringify(request.profile),
      retryAt: null,
      createdAt: new Date(now),
    });
  });
};

/** The account is reserved again, so that the person can send a corrected request. Nothing was paid, except for gas. */
export const abandonRegistration = (
  { db }: Pick<AccountDependencies, 'db'>,
  registration: AccountRegistrationRow,
): Promise<void> =>
  db.transaction(async (session) => {
    // Another request may have begun the next registration of this account since the row was read.
    if (!(await deleteRegistration(session, registration))) return;
    await updateReservedState(session, registration.reservedAccountId, ['transferring'], 'reserved');
  });

/** Registers the name and sends the transaction. What a killed process did of it is not done again. */
const send = async (
  deps: RegistrationDependencies,
  request: RegistrationRequest,
  { appId, wallet }: Registrar,
  registration: AccountRegistrationRow,
): Promise<void> => {
  const { db, masterKey, registry } = deps;
  const { fid } = request;
  const account = await selectReservedAccount(db, fid);
  const signer = await selectManagedSigner(db, registration.signerId);
  if (!account?.sealedKey || !signer) throw new Error(`the registration of fid ${fid} is incomplete`);
  const key = masterKey.open(RESERVED_ACCOUNT_SEAL.purpose, account.sealedKey, account.id);
  const owner = getAddress(bytesToHex(account.custody));
  const { custody: to, deadline, signature } = request;
  try {
    const transfer = { fid, owner, key, signerKey: signer.publicKey, to, deadline, signature, payer: wallet.address };
    // Whatever the contracts would reject is known before a name is registered.
    const call = await transferCall(deps, transfer);
    await claimName(deps, { fid, custody: owner, key }, request.fname);
    await registry.send({
      spenderId: appId,
      wallet,
      plan: async () => call,
      written: async (session, { id }) => {
        if (await updateRegistrationSent(session, fid, id)) return;
        throw conflict(`fid ${fid} is being registered by another request.`, 'fid');
      },
    });
  } catch (error) {
    // The same request in another process may have sent the transaction meanwhile: then its outcome counts.
    if ((await selectRegistration(db, fid))?.state !== 'begun') return;
    if (error instanceof AppError && isFinal(error)) await abandonRegistration(deps, registration);
    throw error;
  } finally {
    key.fill(0);
  }
};

/** Whether a retry of the same request would fail in the same way. */
const isFinal = ({ kind }: AppError): boolean =>
  kind === 'invalid' || kind === 'conflict' || kind === 'not_implemented';

const isAddress = (hex: string, bytes: Uint8Array): boolean => hex.toLowerCase() === bytesToHex(bytes);

/** @throws AppError if the transaction did not move the account, although it did not revert */
const requireTransferred = ({ logs, transactionHash }: Receipt, { fid, custody }: AccountRegistrationRow): void => {
  const transfers = parseEventLogs({ abi: idRegistry.abi, eventName: 'Transfer', logs });
  const isMoved = ({ address, args }: (typeof transfers)[number]): boolean =>
    isAddressEqual(address, idRegistry.address) && args.id === BigInt(fid) && isAddress(args.to, custody);
  if (transfers.some(isMoved)) return;
  throw new AppError('internal', 'TransactionFailed', `The transaction ${transactionHash} transferred no account.`);
};

/**
 * Waits until the account belongs to the person.
 * @returns false if the transaction is not mined in time
 * @throws AppError `TransactionFailed` if it was rejected; the account is reserved again
 */
export const awaitTransferred = async (
  deps: RegistrationDependencies,
  registration: AccountRegistrationRow,
  timeoutMs: number,
): Promise<boolean> => {
  const { db, registry, clock } = deps;
  const { fid, reservedAccountId, transactionId } = registration;
  try {
    const receipt = await registry.receipt(transactionId as string, timeoutMs);
    if (!receipt) return false;
    requireTransferred(receipt, registration);
  } catch (error) {
    if (error instanceof AppError && error.code === 'TransactionFailed') await abandonRegistration(deps, registration);
    throw error;
  }
  await db.transaction(async (session) => {
    const retryAt = new Date(clock() + PROFILE_RETRY_MS);
    if (!(await updateRegistrationTransferred(session, fid, retryAt))) return;
    await updateReservedState(session, reservedAccountId, ['transferring'], 'transferred');
  });
  return true;
};

const hashOf = async ({ db }: AccountDependencies, { transactionId }: AccountRegistrationRow): Promise<Hex> => {
  const attempts = await selectAttempts(db, [transactionId as string]);
  return bytesToHex(attempts.get(transactionId as string)?.at(-1)?.hash ?? new Uint8Array(32));
};

/** @throws AppError conflict for another request than the one that registered the account */
const requireSame = (
  registration: AccountRegistrationRow | undefined,
  { fid, digest }: RegistrationRequest,
  { appId }: Registrar,
): AccountRegistrationRow => {
  if (registration === undefined) throw notReserved(fid);
  if (registration.appId === appId && equalBytes(registration.bodyDigest, digest)) return registration;
  throw conflict(`fid ${fid} is being registered, or was registered, by another request.`, 'fid');
};

/**
 * Gives a reserved account to a person: with a name, a signer of the app and a profile. Everything that can fail is
 * checked before anything is paid. The same request again continues or repeats the first one.
 * @returns the signer's id
 * @throws AppError `not_found` for an account that is not reserved, `conflict` for one that was registered otherwise,
 *   an address that has an account and a name that is taken; `invalid` for other faults of the request; `internal` if
 *   it is not mined in time
 */
export const registerAccount = async (
  deps: RegistrationDependencies,
  request: RegistrationRequest,
  registrar: Registrar,
): Promise<{ readonly signerId: string }> => {
  const { fid } = request;
  registryClient(deps.networks);
  if ((await selectRegistration(deps.db, fid)) === undefined) await begin(deps, request, registrar);
  let registration = requireSame(await selectRegistration(deps.db, fid), request, registrar);
  if (registration.state === 'begun') {
    await send(deps, request, registrar, registration);
    registration = requireSame(await selectRegistration(deps.db, fid), request, registrar);
  }
  if (registration.state === 'sent' && !(await awaitTransferred(deps, registration, RECEIPT_WAIT_MS))) {
    throw stillPending(await hashOf(deps, registration), 'Send the same request again to wait for it.');
  }
  registration = requireSame(await selectRegistration(deps.db, fid), request, registrar);
  if (registration.state === 'transferred') await writeProfile(deps, registration);
  return { signerId: registration.signerId };
};
