import { IdRegisterEventType, OnChainEvent, OnChainEventType, SignerEventType } from '@farcaster/core';
import { requestFidOf } from '../../protocol/eip712.js';
import { fromUnixMs } from '../../protocol/time.js';
import { type RegistrationRow, selectCustodyAddresses, upsertRegistrations } from '../../store/account.js';
import type { Session } from '../../store/database.js';
import { insertOnchainEvents, selectOnchainEvents } from '../../store/onchain-event.js';
import type { SignerKeyRow } from '../../store/signer-key.js';
import { AddressRole, deleteAddressOwners, insertAddressOwners } from '../../store/verification.js';
import type { BatchChanges } from '../batch-changes.js';
import { ingestSignerKeys, SIGNER_KEY_TYPE } from './signer-key.js';

const DAY_MS = 86_400_000;

/** The last second that ISO 8601 writes with four digits for the year: later times are shown as this one. */
const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59);

/** Blocks and purchases name times in 64 bits, of which a `Date` holds fewer. */
const dateOfMs = (unixMs: number): Date => new Date(Math.min(unixMs, LATEST_MS));
const date = (unixSeconds: number): Date => dateOfMs(unixSeconds * 1000);

type Registration = { -readonly [Column in keyof RegistrationRow]: RegistrationRow[Column] };

const readRegistration = (row: Registration, event: OnChainEvent): void => {
  const body = event.idRegisterEventBody;
  if (!body) return;
  if (body.eventType === IdRegisterEventType.REGISTER) row.registered_at ??= date(event.blockTimestamp);
  if (body.eventType !== IdRegisterEventType.CHANGE_RECOVERY) row.custody_address = body.to;
  if (body.recoveryAddress.length > 0) row.recovery_address = body.recoveryAddress;
};

/** A purchase before the end of the running period adds to it, a later one begins a new one. */
const readPurchase = (row: Registration, event: OnChainEvent): void => {
  const body = event.tierPurchaseEventBody;
  if (!body) return;
  const at = date(event.blockTimestamp);
  const running = row.pro_expires_at !== null && row.pro_expires_at > at ? row.pro_expires_at : null;
  if (running === null) row.pro_subscribed_at = at;
  row.pro_expires_at = dateOfMs((running ?? at).getTime() + body.forDays * DAY_MS);
};

/** What the events of one account, in the order of the chain, add up to. */
const registration = (fid: number, events: readonly OnChainEvent[]): RegistrationRow => {
  const row: Registration = {
    fid,
    custody_address: null,
    recovery_address: null,
    registered_at: null,
    pro_subscribed_at: null,
    pro_expires_at: null,
  };
  for (const event of events) {
    readRegistration(row, event);
    readPurchase(row, event);
  }
  return row;
};

/** The keys of one account after its signer events in the order of the chain. */
const signerKeys = (fid: number, events: readonly OnChainEvent[]): SignerKeyRow[] => {
  const keys = new Map<string, SignerKeyRow>();
  for (const event of events) {
    const body = event.signerEventBody;
    if (!body) continue;
    const place = Buffer.from(body.key).toString('hex');
    const known = keys.get(place);
    const isAdd = body.eventType === SignerEventType.ADD;
    keys.set(place, {
      fid,
      key: body.key,
      key_type: body.keyType || known?.key_type || SIGNER_KEY_TYPE,
      active: isAdd,
      block_number: event.blockNumber,
      log_index: event.logIndex,
      decided_at: date(event.blockTimestamp),
      request_fid: isAdd ? requestFidOf(body.metadata) : (known?.request_fid ?? null),
    });
  }
  return [...keys.values()];
};

const eventsByFid = async (session: Session, types: readonly OnChainEventType[], fids: readonly number[]) => {
  const grouped = new Map<number, OnChainEvent[]>();
  for (const { fid, body } of await selectOnchainEvents(session, types, fids)) {
    const events = grouped.get(fid) ?? [];
    events.push(OnChainEvent.decode(body));
    grouped.set(fid, events);
  }
  return grouped;
};

const PROFILE_EVENTS = [OnChainEventType.EVENT_TYPE_ID_REGISTER, OnChainEventType.EVENT_TYPE_TIER_PURCHASE];

/** @returns what the stored events of these accounts say of registration, custody and pro subscription. */
export const registrationsOf = async (session: Session, fids: readonly number[]): Promise<RegistrationRow[]> =>
  Array.from(await eventsByFid(session, PROFILE_EVENTS, fids), ([fid, events]) => registration(fid, events));

/** @returns the keys of these accounts as their stored signer events leave them. */
export const signerKeysOf = async (session: Session, fids: readonly number[]): Promise<SignerKeyRow[]> =>
  Array.from(await eventsByFid(session, [OnChainEventType.EVENT_TYPE_SIGNER], fids), ([fid, events]) =>
    signerKeys(fid, events),
  ).flat();

const ingestRegistrations = async (session: Session, fids: readonly number[], changes: BatchChanges): Promise<void> => {
  const rows = await registrationsOf(session, fids);
  const before = await selectCustodyAddresses(session, fids);
  await upsertRegistrations(session, rows);
  await deleteAddressOwners(
    session,
    before.map(({ fid, custody_address: address }) => ({ address, role: AddressRole.custody, fid })),
  );
  await insertAddressOwners(
    session,
    rows.flatMap(({ fid, custody_address: address, registered_at: at }) =>
      address ? [{ address, role: AddressRole.custody, fid, ts: fromUnixMs(at?.getTime() ?? 0) }] : [],
    ),
  );
  changes.invalidateProfiles(fids);
};

const fidsOf = (rows: readonly { fid: number; type: number }[], types: readonly number[]): number[] => [
  ...new Set(rows.filter((row) => types.includes(row.type)).map((row) => row.fid)),
];

export interface OnchainResult {
  /** Which of the events, by their place in the call, were new. */
  readonly fresh: readonly boolean[];
  /** Keys that may no longer sign: all that they signed goes. */
  readonly revoked: readonly { readonly fid: number; readonly signer: Uint8Array }[];
}

const identity = (event: { fid: number; type: number }, block: number, log: number, hash: Uint8Array): string =>
  `${event.fid}:${event.type}:${block}:${log}:${Buffer.from(hash).toString('hex')}`;

/**
 * Onchain events: kept as they are, and read again whole for each account they concern, so that neither order nor
 * repetition matters: registration and custody, pro subscription, keys. Storage is added up when it is asked for.
 */
export const ingestOnchainEvents = async (
  session: Session,
  events: readonly OnChainEvent[],
  changes: BatchChanges,
): Promise<OnchainResult> => {
  const inserted = await insertOnchainEvents(
    session,
    events.map((event) => ({
      fid: event.fid,
      type: event.type,
      chain_id: event.chainId,
      block_number: event.blockNumber,
      log_index: event.logIndex,
      transaction_hash: event.transactionHash,
      block_timestamp: event.blockTimestamp,
      body: OnChainEvent.encode(event).finish(),
    })),
  );
  const freshNames = new Set(
    inserted.map((row) => identity(row, row.block_number, row.log_index, row.transaction_hash)),
  );
  // Of an event that stands twice in the call, the first is the new one.
  const fresh = events.map((event) =>
    freshNames.delete(identity(event, event.blockNumber, event.logIndex, event.transactionHash)),
  );
  const profiles = fidsOf(inserted, PROFILE_EVENTS);
  if (profiles.length > 0) await ingestRegistrations(session, profiles, changes);
  const owners = fidsOf(inserted, [OnChainEventType.EVENT_TYPE_SIGNER]);
  return { fresh, revoked: await ingestSignerKeys(session, await signerKeysOf(session, owners), changes) };
};
