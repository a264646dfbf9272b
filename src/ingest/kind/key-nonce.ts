import { MessageType } from '@farcaster/core';
import type { Session } from '../../db/statement.js';
import { bareHex } from '../../hex.js';
import { BY_CUSTODY } from '../../protocol/conflict.js';
import { requestFidOf } from '../../protocol/eip712.js';
import {
  insertKeyNonces,
  type KeyNonceRow,
  selectCustodyNonces,
  updateKeyNonceApps,
} from '../../store/protocol/key-nonce.js';
import type { MessageCandidate } from '../candidate.js';
import { decodedOf, type StoredMessage } from '../stored-message.js';

/** @returns the nonce that a message about a key uses; undefined for other messages */
export const keyNonceOf = (message: StoredMessage): KeyNonceRow | undefined => {
  const { keyAddBody, keyRemoveBody } = decodedOf(message).data;
  const { fid, ts, hash, key } = message;
  if (message.type === MessageType.KEY_ADD && keyAddBody) {
    const { nonce, metadata } = keyAddBody;
    return { fid, key, hash, ts, type: message.type, nonce, byCustody: true, requestFid: requestFidOf(metadata) };
  }
  if (message.type !== MessageType.KEY_REMOVE || !keyRemoveBody) return undefined;
  const { nonce, signatureType } = keyRemoveBody;
  const byCustody = signatureType === BY_CUSTODY;
  return { fid, key, hash, ts, type: message.type, nonce, byCustody, requestFid: null };
};

/** How messages about keys relate to those before them. */
export interface KeyOrder {
  /** Came before: what they changed is stored, and they change nothing more. */
  readonly known: ReadonlySet<MessageCandidate>;
  /** Come after all others, whatever their timestamps are. */
  readonly next: ReadonlySet<MessageCandidate>;
}

/** Whether a message comes after what is known of its account: hubs take a nonce of the custody address only if it is above the last. */
const isNext = ({ options }: MessageCandidate, { byCustody, nonce }: KeyNonceRow, last: number): boolean =>
  options.source === 'local' || (options.source === 'hub' && byCustody && nonce > last);

/**
 * Stores the nonces of valid messages, whether these replaced others or came too late for that. The stored nonces do not
 * depend on their order.
 * @param candidates in the order of their arrival
 */
export const ingestKeyNonces = async (session: Session, candidates: readonly MessageCandidate[]): Promise<KeyOrder> => {
  const about = candidates.flatMap((candidate) => {
    const row = keyNonceOf(candidate.message);
    return row ? [{ candidate, row }] : [];
  });
  const rows = about.map(({ row }) => row);
  const last = new Map(await selectCustodyNonces(session, [...new Set(rows.map(({ fid }) => fid))]));
  const inserted = new Set((await insertKeyNonces(session, rows)).map(idOf));
  await updateKeyNonceApps(session, rows);
  const [known, next] = [new Set<MessageCandidate>(), new Set<MessageCandidate>()];
  for (const { candidate, row } of about) {
    // Of a repeated message in the call, the first is the new one.
    if (!inserted.delete(idOf(row))) known.add(candidate);
    else if (isNext(candidate, row, last.get(row.fid) ?? 0)) next.add(candidate);
    if (row.byCustody) last.set(row.fid, Math.max(row.nonce, last.get(row.fid) ?? 0));
  }
  return { known, next };
};

const idOf = ({ fid, key, hash }: Pick<KeyNonceRow, 'fid' | 'key' | 'hash'>): string =>
  `${fid}:${bareHex(key)}:${bareHex(hash)}`;
