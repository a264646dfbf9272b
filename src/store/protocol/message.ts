import { bulkDelete, bulkInsert, bulkStatement, executeRows, selectRows } from '../../db/bulk-statement.js';
import type { Database } from '../../db/database.js';
import { type Session, sql, statement } from '../../db/statement.js';
import type { Envelope } from '../../protocol/wire/message.js';
import type { Written } from '../table.js';
import type { Tables } from '../tables.js';

/** A row of `message`: the signed message with a conflict key. */
export type MessageRow = Written<Tables['message']>;

type EnvelopeRow = Pick<MessageRow, 'data' | 'data_form' | 'hash' | 'signature' | 'signature_scheme' | 'signer'>;

/** HASH_SCHEME_BLAKE3, the only scheme that verification accepts. */
const BLAKE3 = 1;

export const envelopeOf = (row: EnvelopeRow): Envelope => ({
  dataBytes: row.data,
  dataForm: row.data_form === 1 ? 'data_bytes' : 'data',
  hash: row.hash,
  hashScheme: BLAKE3,
  signature: row.signature,
  signatureScheme: row.signature_scheme,
  signer: row.signer,
});

export type MessageKey = Pick<MessageRow, 'fid' | 'message_set' | 'key'>;

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

const names = (prefix: string): string =>
  Object.keys(COLUMNS)
    .map((name) => `${prefix}."${name}"`)
    .join(', ');

const SELECTED = names('m');

const messagesByKeys = bulkStatement<MessageRow>(
  'message_by_keys',
  KEY,
  (rows) => `select ${SELECTED} from (${rows}) k
     join message m on m.fid = k.fid and m.message_set = k.message_set and m.key = k.key`,
);

export const selectMessages = (session: Session, keys: readonly MessageKey[]): Promise<MessageRow[]> =>
  selectRows(session, messagesByKeys, keys);

const messagesByConflictKey = statement<MessageRow>(
  'message_by_place',
  `select ${SELECTED} from unnest($2::smallint[], $3::bytea[]) as k(message_set, key)
     join message m on m.fid = $1 and m.message_set = k.message_set and m.key = k.key`,
);

export const selectAccountMessages = (
  db: Database,
  fid: number,
  places: readonly Omit<MessageKey, 'fid'>[],
): Promise<MessageRow[]> =>
  db.read(messagesByConflictKey, [fid, places.map((place) => place.message_set), places.map((place) => place.key)]);

const selectMessageSetsSql = sql<MessageRow>(
  'select_message_sets',
  `select ${SELECTED} from message m where m.fid = any($1) and m.message_set = any($2)`,
);

export const selectMessageSets = async (
  session: Session,
  sets: readonly number[],
  fids: readonly number[],
): Promise<MessageRow[]> => (fids.length === 0 ? [] : session.select(selectMessageSetsSql, [fids, sets]));

export interface StoredConflictKeys extends Pick<MessageKey, 'fid' | 'message_set'> {
  readonly keys: readonly Buffer[];
}

const selectStoredConflictKeysSql = sql<StoredConflictKeys>(
  'select_stored_conflict_keys',
  `select fid, message_set, array_agg(key) as keys from message
    where fid = any($1) and message_set = any($2) group by fid, message_set`,
);

/** @returns the conflict keys of these accounts in these sets, without empty sets. */
export const selectStoredConflictKeys = (
  session: Session,
  fids: readonly number[],
  sets: readonly number[],
): Promise<StoredConflictKeys[]> => session.run(selectStoredConflictKeysSql, [fids, sets]);

const messagesBySigner = bulkStatement<MessageRow>(
  'message_by_signer',
  { fid: 'bigint', signer: 'bytea' },
  (rows) => `select ${SELECTED} from (${rows}) k join message m on m.fid = k.fid and m.signer = k.signer`,
);

export const selectMessagesBySigner = (
  session: Session,
  pairs: readonly { readonly fid: number; readonly signer: Uint8Array }[],
): Promise<MessageRow[]> => selectRows(session, messagesBySigner, pairs);

const insertMessageRows = bulkInsert('insert_messages', 'message', COLUMNS);

/**
 * Writes messages whose conflict keys are not stored, which takes half the time of an upsert: that one looks for each
 * key first, and marks each row twice.
 */
export const insertMessages = (session: Session, rows: readonly MessageRow[]): Promise<void> =>
  executeRows(session, insertMessageRows, rows);

const upsertMessageRows = bulkInsert(
  'upsert_messages',
  'message',
  COLUMNS,
  `on conflict (fid, message_set, key) do update set
     ${Object.keys(COLUMNS)
       .filter((name) => !(name in KEY))
       .map((name) => `"${name}" = excluded."${name}"`)
       .join(', ')}`,
);

/** Writes messages, replacing those with the same conflict keys. */
export const upsertMessages = async (session: Session, rows: readonly MessageRow[]): Promise<void> =>
  executeRows(session, upsertMessageRows, rows);

const deleteMessageRows = bulkDelete('delete_messages', 'message', KEY);

export const deleteMessages = (session: Session, keys: readonly MessageKey[]): Promise<void> =>
  executeRows(session, deleteMessageRows, keys);

/** A limit on the messages of some sets of an account. */
export interface MessageLimit {
  readonly fid: number;
  readonly sets: readonly number[];
  readonly limit: number;
}

const exceededLimits = bulkStatement<MessageLimit>(
  'message_over_limit',
  { fid: 'bigint', sets: 'integer[]', limit: 'integer' },
  (rows) => `select k.fid, k.sets, k."limit" from (${rows}) k
      where (select count(*) from message m
              where m.fid = k.fid and m.message_set = any(k.sets) and not m.void) > k."limit"`,
);

/** @returns the limits that the non-void messages exceed */
export const selectOverLimit = (session: Session, limits: readonly MessageLimit[]): Promise<MessageLimit[]> =>
  selectRows(session, exceededLimits, limits);
