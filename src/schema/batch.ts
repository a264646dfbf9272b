import Type, { type Static, type TSchema } from 'typebox';
import { Fid } from './fid.js';
import { namedObject } from './named.js';
import { nullable } from './nullable.js';

/** Shapes of the reads that programs for a Hypersnap node call (farcasterorg/hypersnap, src/api/http.rs). */

/** Accounts of one read. */
export const MAX_BATCH_FIDS = 100;

export const BatchReqBody = namedObject('BatchReqBody', {
  fids: Type.Array(Fid, { minItems: 1, maxItems: MAX_BATCH_FIDS, description: 'The accounts, 1 to 100.' }),
});

/** What each account has, by its fid as text. */
export const batchResponse = <Entry extends TSchema>(entry: Entry) =>
  Type.Record(Type.String(), Type.Array(entry), { description: 'By fid: a member for each requested account.' });

const ProtocolTime = Type.Integer({ format: 'int64', minimum: 0, description: 'Seconds since 2021-01-01.' });
const Mentions = Type.Array(Fid);
const BareHash = Type.String({ pattern: '^[0-9a-f]{40}$', description: 'Hex without 0x.' });

export const BatchFollow = namedObject('BatchFollow', {
  fid: Fid,
  followed_at: Type.String({ format: 'date-time' }),
});
export type BatchFollow = Static<typeof BatchFollow>;

export const BatchReaction = namedObject('BatchReaction', { target_fid: Fid, timestamp: ProtocolTime });
export type BatchReaction = Static<typeof BatchReaction>;

/**
 * The documentation of the reference server lists `hash`, `liked`, `recasted` and `replied` instead; these are the
 * members that it sends, and that programs read.
 */
export const BatchCastInteraction = namedObject('BatchCastInteraction', {
  parent_fid: nullable(Fid),
  mentions: Mentions,
  timestamp: ProtocolTime,
});
export type BatchCastInteraction = Static<typeof BatchCastInteraction>;

const BatchEmbedUrl = namedObject('BatchEmbedUrl', { url: Type.String() });
const BatchEmbedCast = namedObject('BatchEmbedCast', { cast_id: Type.Object({ fid: Fid, hash: BareHash }) });

export const BatchCastBody = namedObject('BatchCastBody', {
  hash: BareHash,
  text: Type.String(),
  parent_fid: nullable(Fid),
  parent_hash: nullable(BareHash),
  mentions: Mentions,
  embeds: Type.Array(Type.Union([BatchEmbedUrl, BatchEmbedCast])),
  timestamp: ProtocolTime,
});
export type BatchCastBody = Static<typeof BatchCastBody>;

export const BatchSigner = namedObject('BatchSigner', {
  metadata: Type.String({ description: 'The metadata bytes of the event, in base64; empty where a key was removed.' }),
  metadata_type: Type.Integer({ format: 'int64', minimum: 0 }),
});
export type BatchSigner = Static<typeof BatchSigner>;

export const BatchIdRegistration = namedObject('BatchIdRegistration', {
  block_timestamp: Type.Integer({ format: 'int64', minimum: 0, description: 'Unix seconds.' }),
  event_type: Type.String({ description: '`Register`, `Transfer`, `ChangeRecovery` or `None`.' }),
});
export type BatchIdRegistration = Static<typeof BatchIdRegistration>;
