import { OnChainEvent, type OnChainEventType } from '@farcaster/core';
import type { Session } from '../../db/statement.js';
import { selectOnchainEvents } from '../../store/protocol/onchain-event.js';

/** The last second with a year of four digits in ISO 8601; later times are shown as this one. */
const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59);

/** Onchain times have 64 bits, more than a `Date` can hold. */
export const dateOfMs = (unixMs: number): Date => new Date(Math.min(unixMs, LATEST_MS));
export const dateOfSeconds = (unixSeconds: number): Date => dateOfMs(unixSeconds * 1000);

/** @returns the stored events of these types, in chain order, by fid; without accounts that have none */
export const eventsByFid = async (
  session: Session,
  types: readonly OnChainEventType[],
  fids: readonly number[],
): Promise<Map<number, OnChainEvent[]>> => {
  const grouped = new Map<number, OnChainEvent[]>();
  for (const { fid, body } of await selectOnchainEvents(session, types, fids)) {
    const events = grouped.get(fid) ?? [];
    events.push(OnChainEvent.decode(body));
    grouped.set(fid, events);
  }
  return grouped;
};
