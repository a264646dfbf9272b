import { IdRegisterEventType, type OnChainEvent, OnChainEventType } from '@farcaster/core';
import type { Session } from '../../db/statement.js';
import { DAY_MS } from '../../duration.js';
import { bareHex } from '../../hex.js';
import { fromUnixMs } from '../../protocol/time.js';
import { type RegistrationRow, selectCustodyAddresses, upsertRegistrations } from '../../store/protocol/account.js';
import {
  deleteReplacedOnchainEvents,
  insertOnchainEvents,
  type OnchainEventRow,
} from '../../store/protocol/onchain-event.js';
import { AddressRole, deleteAddressOwners, insertAddressOwners } from '../../store/protocol/verification.js';
import type { BatchChanges } from '../batch-changes.js';
import { encodeOnchain, type OnchainItem } from '../item.js';
import { ingestSignerKeys } from './signer-key.js';
import { dateOfMs, dateOfSeconds, eventsByFid } from './stored-onchain-event.js';

type Registration = { -readonly [Column in keyof RegistrationRow]: RegistrationRow[Column] };

const readRegistration = (row: Registration, event: OnChainEvent): void => {
  const body = event.idRegisterEventBody;
  if (!body) return;
  if (body.eventType === IdRegisterEventType.REGISTER) row.registeredAt ??= dateOfSeconds(event.blockTimestamp);
  if (body.eventType !== IdRegisterEventType.CHANGE_RECOVERY) row.custodyAddress = body.to;
  if (body.recoveryAddress.length > 0) row.recoveryAddress = body.recoveryAddress;
};

/** A purchase before the end of the running period extends it; a later one starts a new one. */
const readPurchase = (row: Registration, event: OnChainEvent): void => {
  const body = event.tierPurchaseEventBody;
  if (!body) return;
  const at = dateOfSeconds(event.blockTimestamp);
  const running = row.proExpiresAt !== null && row.proExpiresAt > at ? row.proExpiresAt : null;
  if (running === null) row.proSubscribedAt = at;
  row.proExpiresAt = dateOfMs((running ?? at).getTime() + body.forDays * DAY_MS);
};

/** @returns the registration of an account after its events in chain order */
const registration = (fid: number, events: readonly OnChainEvent[]): RegistrationRow => {
  const row: Registration = {
    fid,
    custodyAddress: null,
    recoveryAddress: null,
    registeredAt: null,
    proSubscribedAt: null,
    proExpiresAt: null,
  };
  for (const event of events) {
    readRegistration(row, event);
    readPurchase(row, event);
  }
  return row;
};

const PROFILE_EVENTS = [OnChainEventType.EVENT_TYPE_ID_REGISTER, OnChainEventType.EVENT_TYPE_TIER_PURCHASE];

/** @returns registration, custody and pro subscription of these accounts by their stored events */
export const registrationsOf = async (session: Session, fids: readonly number[]): Promise<RegistrationRow[]> =>
  Array.from(await eventsByFid(session, PROFILE_EVENTS, fids), ([fid, events]) => registration(fid, events));

const ingestRegistrations = async (session: Session, fids: readonly number[], changes: BatchChanges): Promise<void> => {
  const rows = await registrationsOf(session, fids);
  const before = await selectCustodyAddresses(session, fids);
  await upsertRegistrations(session, rows);
  await deleteAddressOwners(
    session,
    before.map(({ fid, custodyAddress: address }) => ({ address, role: AddressRole.custody, fid })),
  );
  await insertAddressOwners(
    session,
    rows.flatMap(({ fid, custodyAddress: address, registeredAt: at }) =>
      address ? [{ address, role: AddressRole.custody, fid, ts: fromUnixMs(at?.getTime() ?? 0) }] : [],
    ),
  );
  changes.invalidateProfiles(fids);
};

const fidsOf = (rows: readonly { fid: number; type: number }[], types: readonly number[]): number[] => [
  ...new Set(rows.filter((row) => types.includes(row.type)).map((row) => row.fid)),
];

/** @returns text that two events share only if they are the same event of the chain */
const identity = ({ fid, type, blockNumber, logIndex, transactionHash }: Omit<OnchainEventRow, 'body'>): string =>
  `${fid}:${type}:${blockNumber}:${logIndex}:${bareHex(transactionHash)}`;

/**
 * Stores onchain events, and recomputes registration, custody, pro subscription and keys of each account from all its
 * events, so that neither order nor repetition matters. Storage is computed when it is read.
 * @returns whether each event, by its position in the call, was new
 */
export const ingestOnchainEvents = async (
  session: Session,
  items: readonly Pick<OnchainItem, 'event' | 'wire'>[],
  changes: BatchChanges,
): Promise<boolean[]> => {
  await deleteReplacedOnchainEvents(
    session,
    items.map(({ event: { fid, type, transactionHash, blockHash } }) => ({
      fid,
      type,
      transactionHash,
      blockHash,
    })),
  );
  // A batch may have an event twice, of the stream and of a sync; one statement cannot store a row twice.
  const rows = new Map<string, OnchainEventRow>();
  for (const { event, wire } of items) {
    const { fid, type, blockNumber, logIndex, transactionHash } = event;
    const id = identity(event);
    if (rows.has(id)) continue;
    rows.set(id, { fid, type, blockNumber, logIndex, transactionHash, body: encodeOnchain({ event, wire }) });
  }
  const inserted = await insertOnchainEvents(session, [...rows.values()]);
  const freshIds = new Set(inserted.map(identity));
  // Of a repeated event in the call, the first is the new one.
  const fresh = items.map(({ event }) => freshIds.delete(identity(event)));
  const profiles = fidsOf(inserted, PROFILE_EVENTS);
  if (profiles.length > 0) await ingestRegistrations(session, profiles, changes);
  const owners = fidsOf(inserted, [OnChainEventType.EVENT_TYPE_SIGNER]);
  await ingestSignerKeys(session, owners, changes);
  return fresh;
};
