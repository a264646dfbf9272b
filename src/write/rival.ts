import { MessageType } from '@farcaster/core';
import { MessageSet } from '../protocol/conflict.js';
import { MAX_CLOCK_SKEW_SECONDS } from '../protocol/limit.js';
import { lookupKey } from '../protocol/lookup-key.js';
import type { ProtocolMessage } from '../protocol/wire/message.js';
import type { Database } from '../store/database.js';
import { type MessageRow, selectAccountMessages } from '../store/message.js';
import type { Draft } from './unsigned-message.js';
import { NotWritten } from './write-error.js';

/** The stored messages that a draft has to come after. */
export interface Rivals {
  /** Holds the place that the draft wants. */
  readonly holder: MessageRow | undefined;
  /** Protocol seconds before which the message would have no effect; 0: nothing stands in its way. */
  readonly earliest: number;
}

const NOBODY: Rivals = { holder: undefined, earliest: 0 };

/** A cast is known by its own hash, so that nothing stored can be in its way. */
const isAlone = ({ type }: Draft): boolean => type === MessageType.CAST_ADD;

/** @returns what stands where a message of this account would stand. */
export const selectRivals = async (db: Database, fid: number, draft: Draft): Promise<Rivals> => {
  if (isAlone(draft)) return NOBODY;
  const { set, key } = lookupKey(draft);
  const places = [{ message_set: set, key }];
  const linkType = draft.linkBody?.type;
  if (linkType !== undefined)
    places.push({ message_set: MessageSet.linkCompactState, key: Buffer.from(linkType, 'utf8') });
  const rows = await selectAccountMessages(db, fid, places);
  const holder = rows.find((row) => row.message_set === set);
  // Links older than the compact state of their type are void.
  const compact = rows.find((row) => row.message_set !== set);
  return { holder, earliest: Math.max(holder ? holder.ts + 1 : 0, compact?.ts ?? 0) };
};

/**
 * Protocol timestamps are whole seconds, and of two messages about one thing the later counts: so a new one is dated
 * after the one that it is to replace, into the future when they come faster than the clock.
 * @param now protocol seconds
 * @throws NotWritten conflict when a message is dated further ahead than hubs allow
 */
export const checkReach = ({ envelope, timestamp }: ProtocolMessage, now: number): void => {
  const ahead = timestamp - now - MAX_CLOCK_SKEW_SECONDS;
  if (ahead <= 0) return;
  const message =
    `The newest message about this is dated ${timestamp - now - 1} s ahead of the clock, and hubs take none that is ` +
    `more than ${MAX_CLOCK_SKEW_SECONDS} s ahead. Try again in ${ahead} s.`;
  throw new NotWritten(envelope.hash, 'conflict', 'Conflict', message, { retryAfter: ahead });
};
