import { MessageSet } from '../../protocol/conflict.js';
import type { Envelope } from '../../protocol/wire/message.js';
import { deleteRows, insertRows, readQuery, readRows, selectQuery } from '../query-function.js';
import { type Camel, columnList, type Written } from '../table.js';
import type { Tables } from '../tables.js';

/** A row of `message`: the signed message with a conflict key. */
export type MessageRow = Camel<Written<Tables['message']>>;

type EnvelopeRow = Pick<MessageRow, 'data' | 'dataForm' | 'hash' | 'signature' | 'signatureScheme' | 'signer'>;

/** HASH_SCHEME_BLAKE3, the only scheme that verification accepts. */
const BLAKE3 = 1;

/** How the data of a message came, as its column says. */
export const dataFormOf = ({ dataForm }: Pick<EnvelopeRow, 'dataForm'>): Envelope['dataForm'] =>
  dataForm === 1 ? 'data_bytes' : 'data';

export const envelopeOf = (row: EnvelopeRow): Envelope => ({
  dataBytes: row.data,
  dataForm: dataFormOf(row),
  hash: row.hash,
  hashScheme: BLAKE3,
  signature: row.signature,
  signatureScheme: row.signatureScheme,
  signer: row.signer,
});

export type MessageKey = Pick<MessageRow, 'fid' | 'messageSet' | 'key'>;

const KEY = { fid: 'bigint', message_set: 'smallint', key: 'bytea' } as const;

const COLUMNS = {
  ...KEY,
  type: 'smallint',
  subtype: 'smallint',
  ts: 'integer',
  hash: 'bytea',
  signer: 'bytea',
  signature: 'bytea',
  signature_scheme: 'smallint',
  data: 'bytea',
  data_form: 'smallint',
  target_fid: 'bigint',
  target_hash: 'bytea',
  void: 'boolean',
} as const;

/** The columns of a message with the alias `m`. */
export const MESSAGE_COLUMNS = columnList(Object.keys(COLUMNS), 'm');

export const selectMessages = readRows(
  'message_by_keys',
  KEY,
  (rows) => `select ${MESSAGE_COLUMNS} from (${rows}) k
     join message m on m.fid = k.fid and m.message_set = k.message_set and m.key = k.key`,
).rows((keys: readonly MessageKey[]) => [keys]);

/** @param names as bytes @returns the messages of all accounts that prove one of the names */
export const selectProofMessages = selectQuery(
  'select_proof_messages',
  `select ${MESSAGE_COLUMNS} from message m where m.message_set = ${MessageSet.usernameProof} and m.key = any(:names)`,
).rows((names: readonly Uint8Array[]) => (names.length === 0 ? undefined : { names }));

/**
 * @returns the messages of all accounts whose proofs of these names a later proof has replaced
 */
export const selectReplacedProofMessages = selectQuery(
  'select_replaced_proof_messages',
  `select ${MESSAGE_COLUMNS} from username_proof p
     join message m on m.message_set = ${MessageSet.usernameProof} and m.key = convert_to(p.name, 'UTF8')
    where p.name = any(:names) and p.message_hash is distinct from m.hash`,
).rows((names: readonly string[]) => (names.length === 0 ? undefined : { names }));

export const selectAccountMessages = readQuery(
  'message_by_account_keys',
  `select ${MESSAGE_COLUMNS} from unnest(:messageSets::smallint[], :keys::bytea[]) as k(message_set, key)
     join message m on m.fid = :fid and m.message_set = k.message_set and m.key = k.key`,
).rows((fid: number, keys: readonly Omit<MessageKey, 'fid'>[]) => ({
  fid,
  messageSets: keys.map((row) => row.messageSet),
  keys: keys.map((row) => row.key),
}));

export const selectMessageSets = selectQuery(
  'select_message_sets',
  `select ${MESSAGE_COLUMNS} from message m where m.fid = any(:fids) and m.message_set = any(:sets)`,
).rows((sets: readonly number[], fids: readonly number[]) => (fids.length === 0 ? undefined : { fids, sets }));

export interface StoredConflictKeys extends Pick<MessageKey, 'fid' | 'messageSet'> {
  readonly keys: readonly Buffer[];
}

/** @returns the conflict keys of the non-void messages of these accounts in these sets, without empty sets. */
export const selectStoredConflictKeys = selectQuery(
  'select_stored_conflict_keys',
  `select fid, message_set as "messageSet", array_agg(key) as "keys!" from message
    where fid = any(:fids) and message_set = any(:sets) and not void group by fid, message_set`,
).rows((fids: readonly number[], sets: readonly number[]) => ({ fids, sets }));

/**
 * Writes messages whose conflict keys are not stored, which takes half the time of an upsert: that one looks for each
 * key first, and marks each row twice.
 */
export const insertMessages = insertRows('insert_messages', 'message', COLUMNS).done((rows: readonly MessageRow[]) => [
  rows,
]);

/** Writes messages, replacing those with the same conflict keys. */
export const upsertMessages = insertRows(
  'upsert_messages',
  'message',
  COLUMNS,
  `on conflict (fid, message_set, key) do update set
     ${Object.keys(COLUMNS)
       .filter((name) => !(name in KEY))
       .map((name) => `"${name}" = excluded."${name}"`)
       .join(', ')}`,
).done((rows: readonly MessageRow[]) => [rows]);

export const deleteMessages = deleteRows('delete_messages', 'message', KEY).done((keys: readonly MessageKey[]) => [
  keys,
]);

/** A limit on the messages of some sets of an account. */
export interface MessageLimit {
  readonly fid: number;
  readonly sets: readonly number[];
  readonly limit: number;
}

/** @returns the limits that the non-void messages exceed */
export const selectOverLimit = readRows(
  'message_over_limit',
  { fid: 'bigint', sets: 'integer[]', limit: 'integer' },
  (rows) => `select k.fid as "fid!", k.sets as "sets!", k."limit" as "limit!" from (${rows}) k
      where (select count(*) from message m
              where m.fid = k.fid and m.message_set = any(k.sets) and not m.void) > k."limit"`,
).rows((limits: readonly MessageLimit[]) => [limits]);
