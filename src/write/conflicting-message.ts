import { MessageType } from '@farcaster/core';
import type { Database } from '../db/database.js';
import { MessageSet } from '../protocol/conflict.js';
import { MAX_CLOCK_SKEW_SECONDS } from '../protocol/limit.js';
import { lookupKey } from '../protocol/lookup-key.js';
import type { ProtocolMessage } from '../protocol/wire/message.js';
import { type MessageRow, selectAccountMessages } from '../store/protocol/message.js';
import type { Draft } from './unsigned-message.js';
import { WriteError } from './write-error.js';

/** The stored messages that decide whether a draft takes effect. */
export interface ConflictingMessages {
  /** The active message with the conflict key of the draft. */
  readonly holder: MessageRow | undefined;
  /** Protocol seconds from which the draft would take effect; 0 without conflicting messages. */
  readonly earliest: number;
}

const NO_CONFLICT: ConflictingMessages = { holder: undefined, earliest: 0 };

/** The conflict key of a cast is its own hash, so no stored message conflicts with it. */
const isAlone = ({ type }: Draft): boolean => type === MessageType.CAST_ADD;

/** @returns the stored messages of the account that conflict with a draft */
export const selectConflictingMessages = async (
  db: Database,
  fid: number,
  draft: Draft,
): Promise<ConflictingMessages> => {
  if (isAlone(draft)) return NO_CONFLICT;
  const { set, key } = lookupKey(draft);
  const places = [{ messageSet: set, key }];
  const linkType = draft.linkBody?.type;
  if (linkType !== undefined)
    places.push({ messageSet: MessageSet.linkCompactState, key: Buffer.from(linkType, 'utf8') });
  const rows = await selectAccountMessages(db, fid, places);
  const holder = rows.find((row) => row.messageSet === set);
  // Links older than the compact state of their type are inactive.
  const compact = rows.find((row) => row.messageSet !== set);
  return { holder, earliest: Math.max(holder ? holder.ts + 1 : 0, compact?.ts ?? 0) };
};

/**
 * Checks the timestamp of a message. Protocol timestamps are whole seconds, and the later of two conflicting messages
 * wins. So a message is dated after the one it replaces, which is in the future after several writes in one second.
 * @param now protocol seconds
 * @throws WriteError conflict for a timestamp further ahead than hubs allow
 */
export const checkClockSkew = ({ envelope, timestamp }: ProtocolMessage, now: number): void => {
  const ahead = timestamp - now - MAX_CLOCK_SKEW_SECONDS;
  if (ahead <= 0) return;
  const message =
    `The newest message about this is dated ${timestamp - now - 1} s ahead of the clock, and hubs take none that is ` +
    `more than ${MAX_CLOCK_SKEW_SECONDS} s ahead. Try again in ${ahead} s.`;
  throw new WriteError(envelope.hash, 'conflict', 'Conflict', message, { retryAfter: ahead });
};
