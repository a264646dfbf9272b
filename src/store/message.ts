import type { Envelope } from '../protocol/wire/message.js';
import { deleteRows, insertRows, rowSource } from './bulk.js';
import { type Database, type Session, statement } from './database.js';

/** A row of `message`: the signed message that holds its conflict key. */
export interface MessageRow {
  readonly fid: number;
  readonly message_set: number;
  readonly key: Uint8Array;
  readonly type: number;
  readonly subtype: number;
  /** Protocol seconds. */
  readonly ts: number;
  readonly hash: Uint8Array;
  readonly signer: Uint8Array;
  readonly signature: Uint8Array;
  readonly signature_scheme: number;
  readonly data: Uint8Array;
  /** 1: the data came as `data_bytes`. */
  readonly data_form: number;
  readonly target_fid: number | null;
  readonly target_hash: Uint8Array | null;
  readonly void: boolean;
}

type EnvelopeRow = Pick<MessageRow, 'data' | 'data_form' | 'hash' | 'signature' | 'signature_scheme' | 'signer'>;

/** HASH_SCHEME_BLAKE3: the only scheme that passes verification. */
const BLAKE3 = 1;

/** @returns the envelope that a row was made from. */
export const envelopeOf = (row: EnvelopeRow): Envelope => ({
  dataBytes: row.data,
  dataForm: row.data_form === 1 ? 'data_bytes' : 'data',
  hash: row.hash,
  hashScheme: BLAKE3,
  signature: row.signature,
  signatureScheme: row.signature_scheme,
  signer: row.signer,
});

export interface MessageKey {
  readonly fid: number;
  readonly message_set: number;
  readonly key: Uint8Array;
}

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

/** @returns the messages that hold these keys, in no order. */
export const selectMessages = async (session: Session, keys: readonly MessageKey[]): Promise<MessageRow[]> => {
  if (keys.length === 0) return [];
  const source = rowSource(KEY, keys);
  return session.select<MessageRow>(
    `select ${SELECTED} from (${source.select}) k
       join message m on m.fid = k.fid and m.message_set = k.message_set and m.key = k.key`,
    source.params,
  );
};

const messagesByPlace = statement<MessageRow>(
  'message_by_place',
  `select ${SELECTED} from unnest($2::smallint[], $3::bytea[]) as k(message_set, key)
     join message m on m.fid = $1 and m.message_set = k.message_set and m.key = k.key`,
);

/** @returns the messages of one account that hold these keys, in no order. */
export const selectAccountMessages = (
  db: Database,
  fid: number,
  places: readonly Omit<MessageKey, 'fid'>[],
): Promise<MessageRow[]> =>
  db.read(messagesByPlace, [fid, places.map((place) => place.message_set), places.map((place) => place.key)]);

/** @returns all messages of these sets and fids. */
export const selectMessageSets = async (
  session: Session,
  sets: readonly number[],
  fids: readonly number[],
): Promise<MessageRow[]> =>
  fids.length === 0
    ? []
    : session.select<MessageRow>(
        `select ${SELECTED} from message m where m.fid = any($1) and m.message_set = any($2)`,
        [fids, sets],
      );

/** The conflict keys that an account holds in a set. */
export interface HeldSet extends Pick<MessageKey, 'fid' | 'message_set'> {
  readonly keys: readonly Buffer[];
}

/** @returns what these accounts hold in these sets; sets that are empty are left out. */
export const selectHeldSets = (
  session: Session,
  fids: readonly number[],
  sets: readonly number[],
): Promise<HeldSet[]> =>
  session.run<HeldSet>(
    `select fid, message_set, array_agg(key) as keys from message
      where fid = any($1) and message_set = any($2) group by fid, message_set`,
    [fids, sets],
  );

/** @returns the messages of these fids that these keys signed. */
export const selectMessagesBySigner = async (
  session: Session,
  pairs: readonly { readonly fid: number; readonly signer: Uint8Array }[],
): Promise<MessageRow[]> => {
  if (pairs.length === 0) return [];
  const source = rowSource({ fid: 'bigint', signer: 'bytea' }, pairs);
  return session.select<MessageRow>(
    `select ${SELECTED} from (${source.select}) k join message m on m.fid = k.fid and m.signer = k.signer`,
    source.params,
  );
};

/** Writes the holders of their keys, replacing what held them. */
export const upsertMessages = async (session: Session, rows: readonly MessageRow[]): Promise<void> => {
  const changed = Object.keys(COLUMNS).filter((name) => !(name in KEY));
  await insertRows(
    session,
    'message',
    COLUMNS,
    rows,
    `on conflict (fid, message_set, key) do update set
       ${changed.map((name) => `"${name}" = excluded."${name}"`).join(', ')}, stored_at = now()`,
  );
};

/** Frees these keys. */
export const deleteMessages = (session: Session, keys: readonly MessageKey[]): Promise<void> =>
  deleteRows(session, 'message', KEY, keys);

/** A limit on the messages of some sets of an account. */
export interface MessageLimit {
  readonly fid: number;
  readonly sets: readonly number[];
  readonly limit: number;
}

/** @returns those of the limits that are exceeded by messages in force. */
export const selectOverfull = async (session: Session, limits: readonly MessageLimit[]): Promise<MessageLimit[]> => {
  if (limits.length === 0) return [];
  const source = rowSource({ fid: 'bigint', sets: 'integer[]', limit: 'integer' }, limits);
  return session.select<MessageLimit>(
    `select k.fid, k.sets, k."limit" from (${source.select}) k
      where (select count(*) from message m
              where m.fid = k.fid and m.message_set = any(k.sets) and not m.void) > k."limit"`,
    source.params,
  );
};
