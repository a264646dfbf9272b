import { MessageType, type OnChainEvent, OnChainEventType, SignerEventType } from '@farcaster/core';
import type { Session } from '../../db/statement.js';
import { bareHex } from '../../hex.js';
import { MessageSet } from '../../protocol/conflict.js';
import { requestFidOf } from '../../protocol/eip712.js';
import { SIGNER_KEY_TYPE } from '../../protocol/event/decode.js';
import { toUnixMs } from '../../protocol/time.js';
import { selectMessageSets } from '../../store/protocol/message.js';
import {
  type SignerKeyRow,
  selectSignerKeysOf,
  updateKeyUsesFromMessages,
  upsertSignerKeys,
} from '../../store/protocol/signer-key.js';
import type { BatchChanges } from '../batch-changes.js';
import { decodedOf, type StoredMessage } from '../stored-message.js';
import { dateOfSeconds, eventsByFid } from './stored-onchain-event.js';

const keyIdOf = ({ fid, key }: Pick<SignerKeyRow, 'fid' | 'key'>): string => `${fid}:${bareHex(key)}`;

/**
 * @returns the keys of an account after its signer events in chain order. An admin reset makes a key that was ever added
 *   active again, and changes nothing for others (snapchain 0.14.2, `build_secondary_indices_for_signer` in
 *   `onchain_event_store.rs`).
 */
const onchainKeys = (fid: number, events: readonly OnChainEvent[]): SignerKeyRow[] => {
  const [keys, adds] = [new Map<string, SignerKeyRow>(), new Map<string, SignerKeyRow>()];
  for (const event of events) {
    const body = event.signerEventBody;
    if (!body) continue;
    const hex = bareHex(body.key);
    const known = keys.get(hex);
    if (body.eventType === SignerEventType.ADMIN_RESET) {
      const added = adds.get(hex);
      if (added) keys.set(hex, added);
      continue;
    }
    const isAdd = body.eventType === SignerEventType.ADD;
    const row: SignerKeyRow = {
      fid,
      key: body.key,
      keyType: body.keyType || known?.keyType || SIGNER_KEY_TYPE,
      active: isAdd,
      blockNumber: event.blockNumber,
      logIndex: event.logIndex,
      decidedAt: dateOfSeconds(event.blockTimestamp),
      requestFid: isAdd ? requestFidOf(body.metadata) : (known?.requestFid ?? null),
      scopes: null,
      ttl: null,
    };
    keys.set(hex, row);
    if (isAdd && !adds.has(hex)) adds.set(hex, row);
  }
  return [...keys.values()];
};

/** @returns the key that a stored message registered or removed */
const messageKey = (message: StoredMessage): SignerKeyRow => {
  const body = decodedOf(message).data.keyAddBody;
  return {
    fid: message.fid,
    key: message.key,
    keyType: body?.keyType ?? SIGNER_KEY_TYPE,
    active: message.type === MessageType.KEY_ADD,
    blockNumber: 0,
    logIndex: 0,
    decidedAt: new Date(toUnixMs(message.ts)),
    requestFid: body ? requestFidOf(body.metadata) : null,
    scopes: body?.scopes ?? null,
    ttl: body?.ttl ?? null,
  };
};

/**
 * @returns the keys of these accounts by their stored signer events and key messages. A key that is registered in both
 *   ways counts as registered onchain (snapchain 0.14.2, `get_active_key` in `active_key.rs`).
 */
export const signerKeysOf = async (session: Session, fids: readonly number[]): Promise<SignerKeyRow[]> => {
  if (fids.length === 0) return [];
  const events = await eventsByFid(session, [OnChainEventType.EVENT_TYPE_SIGNER], fids);
  const messages = await selectMessageSets(session, [MessageSet.key], fids);
  const keys = new Map<string, SignerKeyRow>();
  for (const [fid, own] of events) for (const row of onchainKeys(fid, own)) keys.set(keyIdOf(row), row);
  for (const row of messages.map(messageKey)) {
    const onchain = keys.get(keyIdOf(row));
    if (onchain === undefined || (row.active && !onchain.active)) keys.set(keyIdOf(row), row);
  }
  return [...keys.values()];
};

/**
 * Recomputes the keys of these accounts, after signer events or key messages of theirs were stored or deleted. Keys that
 * nothing stored registers any more stay as inactive ones, because messages that they signed before are valid.
 */
export const ingestSignerKeys = async (
  session: Session,
  fids: readonly number[],
  changes: BatchChanges,
): Promise<void> => {
  const known = await selectSignerKeysOf(session, fids);
  const rows = new Map<string, SignerKeyRow>(known.map((row) => [keyIdOf(row), { ...row, active: false }]));
  for (const row of await signerKeysOf(session, fids)) rows.set(keyIdOf(row), row);
  const changed = await upsertSignerKeys(session, [...rows.values()]);
  await updateKeyUsesFromMessages(
    session,
    changed.filter(({ ttl }) => ttl !== null),
  );
  const wereAddresses = new Set(known.filter((row) => row.keyType !== SIGNER_KEY_TYPE).map(keyIdOf));
  const addresses = changed.filter((row) => row.keyType !== SIGNER_KEY_TYPE || wereAddresses.has(keyIdOf(row)));
  changes.invalidateProfiles(addresses.map((row) => row.fid));
  changes.addAddressChanges(changed.map((row) => row.fid));
  changes.invalidateSigners(changed.map((row) => row.fid));
};
