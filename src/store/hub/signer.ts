import { MessageType, OnChainEventType } from '@farcaster/core';
import type { Reader } from '../../db/statement.js';
import { MessageSet } from '../../protocol/conflict.js';
import { readQuery } from '../query-function.js';

/** A place in the list of keys that an account registered onchain, in the order of the chain. */
export interface OnchainKeyPlace {
  readonly blockNumber: number;
  readonly logIndex: number;
  readonly key: Uint8Array;
}

interface Page<Place> {
  /** The last entry of the previous page; undefined: the first page. */
  readonly after: Place | undefined;
  readonly reverse: boolean;
  readonly limit: number;
}

/** Keys have 32 bytes. */
const ABOVE_ALL_KEYS = new Uint8Array(33).fill(0xff);
const BELOW_ALL_KEYS = new Uint8Array(0);
const BEFORE_THE_CHAIN: OnchainKeyPlace = { blockNumber: 0, logIndex: 0, key: BELOW_ALL_KEYS };
const AFTER_THE_CHAIN: OnchainKeyPlace = {
  blockNumber: Number.MAX_SAFE_INTEGER,
  logIndex: 2_147_483_647,
  key: ABOVE_ALL_KEYS,
};

/** SQL of the active Ed25519 keys that an account registered onchain; what more follows it restricts and sorts them. */
const onchainKeys = (
  more: string,
): string => `select k.key as "key!", k.key_type as "keyType!", k.block_number as "blockNumber!", k.log_index as "logIndex!",
          k.decided_at as "addedAt!", o.body as "body?"
     from (select key, key_type, block_number, log_index, decided_at from signer_key
            where fid = :fid and active and key_type = 1 and block_number > 0 ${more}) k
     left join lateral (
       select body from onchain_event
        where fid = :fid and type = ${OnChainEventType.EVENT_TYPE_SIGNER}
          and block_number = k.block_number and log_index = k.log_index limit 1) o on true`;

const onchainPage = (past: '>' | '<', order: 'asc' | 'desc'): string =>
  `${onchainKeys(`and (block_number, log_index, key) ${past} (:blockNumber, :logIndex, :key)
            order by block_number ${order}, log_index ${order}, key ${order} limit :limit`)}
    order by k.block_number ${order}, k.log_index ${order}, k.key ${order}`;

const onchainForward = readQuery('hub_onchain_key', onchainPage('>', 'asc')).rows();
const onchainBackward = readQuery('hub_onchain_key_reverse', onchainPage('<', 'desc')).rows();

/**
 * @returns the active keys that an account registered onchain, each once, in the order in which they were added; `body`
 *   is the protobuf `OnChainEvent` that added the key
 */
export const selectOnchainKeys = (session: Reader, fid: number, { after, reverse, limit }: Page<OnchainKeyPlace>) =>
  reverse
    ? onchainBackward(session, { fid, limit, ...(after ?? AFTER_THE_CHAIN) })
    : onchainForward(session, { fid, limit, ...(after ?? BEFORE_THE_CHAIN) });

export const selectOnchainKey = readQuery('hub_onchain_key_by_key', onchainKeys('and key = :key')).first(
  (fid: number, key: Uint8Array) => ({ fid, key }),
);

/** SQL of the keys that messages registered for an account; what more follows it restricts and sorts them. */
const messageKeys = (
  more: string,
): string => `select k.key as "key!", k.ts as "ts!", k.data as "data!", s.last_used_ts as "lastUsedTs?"
     from (select key, ts, data from message
            where fid = :fid and message_set = ${MessageSet.key} and type = ${MessageType.KEY_ADD} ${more}) k
     left join signer_key s on s.fid = :fid and s.key = k.key`;

const messageKeyPage = (past: '>' | '<', order: 'asc' | 'desc'): string =>
  `${messageKeys(`and key ${past} :after order by key ${order} limit :limit`)} order by k.key ${order}`;

const messageKeysForward = readQuery('hub_message_key', messageKeyPage('>', 'asc')).rows();
const messageKeysBackward = readQuery('hub_message_key_reverse', messageKeyPage('<', 'desc')).rows();

/**
 * @returns the keys that messages registered for an account, sorted by key; `ts` and `data` are of the message, whose
 *   body says everything but when the key was last used (protocol seconds, null: never)
 */
export const selectMessageKeys = (session: Reader, fid: number, { after, reverse, limit }: Page<Uint8Array>) =>
  reverse
    ? messageKeysBackward(session, { fid, limit, after: after ?? ABOVE_ALL_KEYS })
    : messageKeysForward(session, { fid, limit, after: after ?? BELOW_ALL_KEYS });

export const selectMessageKey = readQuery('hub_message_key_by_key', messageKeys('and key = :key')).first(
  (fid: number, key: Uint8Array) => ({ fid, key }),
);

/** @returns how many keys messages registered for an account, and the highest nonce of its custody address, null: none */
export const selectKeyCounts = readQuery(
  'hub_key_count',
  `select (select count(*)::integer from message
            where fid = :fid and message_set = ${MessageSet.key} and type = ${MessageType.KEY_ADD}) as "messageKeys!",
          (select max(nonce) from key_nonce where fid = :fid and by_custody) as nonce`,
).one((fid: number) => ({ fid }));

/** @returns by fid, the highest nonce that keys of the app used to remove themselves; null: none did */
export const selectRequesterNonces = readQuery(
  'hub_requester_nonce',
  `select a.fid as "fid!", (select max(k.nonce) from key_nonce k where k.request_fid = a.fid and not k.by_custody) as nonce
     from unnest(:fids::bigint[]) a(fid)`,
).columnMap('fid', 'nonce', (fids: readonly number[]) => ({ fids }));
