import { setTimeout as delay } from 'node:timers/promises';
import type { FarcasterNetwork, MessageData } from '@farcaster/core';
import { equalBytes } from '../bytes.js';
import { isOutcomeUnknown } from '../db/commit-outcome.js';
import type { Database } from '../db/database.js';
import { isDatabaseUnavailable } from '../db/failure.js';
import { AppError } from '../error.js';
import { HUB_UNREACHABLE } from '../ingest/hub/client.js';
import type { IngestOutcome } from '../ingest/ingest-outcome.js';
import type { Ingest } from '../ingest/pipeline/pipeline.js';
import { conflictKey } from '../protocol/conflict.js';
import { fromUnixMs } from '../protocol/time.js';
import { decodeMessage } from '../protocol/wire/decode.js';
import { decodeEnvelope } from '../protocol/wire/envelope.js';
import type { ProtocolMessage } from '../protocol/wire/message.js';
import { envelopeOf, type MessageRow, selectAccountMessages } from '../store/protocol/message.js';
import { withTimeout } from '../timeout.js';
import { checkClockSkew, selectConflictingMessages } from './conflicting-message.js';
import type { IdempotencyRecord } from './idempotency-record.js';
import { type Author, type Draft, hasSameContent, type SignedDraft, signDraft } from './unsigned-message.js';
import {
  databaseUnavailable,
  hubUnreachable,
  type Member,
  rejectedByHub,
  rejectedLocally,
  repeatedlySuperseded,
  superseded,
  unknownOutcome,
  WriteError,
} from './write-error.js';

/** A message that is dated further ahead does not count in `latest`. */
const NOTED_AHEAD_SECONDS = 10;

/** Milliseconds between two lookups of a message that the hub accepted. */
const RECHECK_MS = 50;

/** Milliseconds before a message with an unknown outcome is submitted again. */
const RESUBMIT_MS = 200;

/** A stored message. */
export interface WrittenMessage {
  /** 20 bytes */
  readonly hash: Uint8Array;
  /** Protocol seconds. */
  readonly timestamp: number;
  /** Content of the stored message; for a repeated request that of the first one. */
  readonly message: MessageData;
}

export interface WriteOptions {
  /** The member of the request that the message was made from, for errors. */
  readonly property?: Member;
  /** Returns the active message if its content is the same, instead of writing it again. */
  readonly unlessStored?: boolean;
  /** Makes a repeated request write only one message. */
  readonly idempotencyRecord?: IdempotencyRecord | undefined;
}

/** Writes messages of accounts. */
export interface Writer {
  /**
   * Dates, hashes, signs and submits a message. It resolves when the message is stored and visible to the next read of
   * this process.
   * @param draft or a function that returns it, which is not called for a repeated request
   * @throws AppError `invalid` for a rejected message, `unavailable` if the database is down and the message is not
   *   stored, `gateway_timeout` if it may be stored, `conflict` if concurrent writes superseded every retry; a
   *   `WriteError` once there is a message
   */
  write(author: Author, draft: Draft | (() => Promise<Draft>), options?: WriteOptions): Promise<WrittenMessage>;
  /**
   * Submits a message that was signed elsewhere. It resolves when the message is stored, also if it was stored before.
   * @param wire bytes of the protobuf `Message`
   * @throws AppError as `write` does, and `invalid` if a stored message supersedes this one
   */
  submit(wire: Uint8Array, options?: Pick<WriteOptions, 'property'>): Promise<ProtocolMessage>;
  /**
   * @returns protocol seconds of the latest message that was written by this process or a sibling, at most a few seconds
   *   ahead of the clock; 0 without one
   */
  latest(): number;
  /** Takes over the latest message that a sibling process has written. */
  learnLatest(timestamp: number): void;
}

export interface WriterDependencies {
  readonly db: Database;
  readonly submit: Ingest['submit'];
  /** Whether `submit` forwards to another hub, which may accept what the store does not have yet. */
  readonly isForwarded: boolean;
  readonly network: FarcasterNetwork;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** @returns how long storing a message may take, in milliseconds; asked for each message */
  readonly timeoutMs: () => number;
  /** Called for a message that is dated ahead of the clock, with protocol seconds. */
  readonly wroteAhead?: (timestamp: number) => void;
  /** Which messages are indexed (partial mode); absent: all. */
  readonly isIndexed?: ((message: ProtocolMessage) => boolean) | undefined;
}

type Offered = 'stored' | 'superseded';

/** The time limit of a message. */
interface TimeLimit {
  /** Its length in milliseconds. */
  readonly ms: number;
  /** When it is over, as `performance.now()` says it. */
  readonly end: number;
}

const readSigned = (wire: Uint8Array): SignedDraft => ({ wire, message: decodeMessage(decodeEnvelope(wire)) });

const writtenMessageOf = ({ envelope, timestamp, data }: ProtocolMessage): WrittenMessage => ({
  hash: envelope.hash,
  timestamp,
  message: data,
});

export const createWriter = (deps: WriterDependencies): Writer => {
  const { db, network } = deps;
  let latest = 0;

  const startLimit = (): TimeLimit => {
    const ms = deps.timeoutMs();
    return { ms, end: performance.now() + ms };
  };

  const learnLatest = (timestamp: number): void => {
    latest = Math.max(latest, timestamp);
  };
  const noted = (message: ProtocolMessage): ProtocolMessage => {
    const now = fromUnixMs(deps.clock());
    if (message.timestamp <= now + NOTED_AHEAD_SECONDS) {
      learnLatest(message.timestamp);
      // Lists of this moment include what is dated up to now anyway.
      if (message.timestamp > now) deps.wroteAhead?.(message.timestamp);
    }
    return message;
  };

  /** Waits until the hub's stream brings a message that the hub accepted but that could not be stored at once. */
  const awaitStored = async ({ message }: SignedDraft, limit: TimeLimit): Promise<void> => {
    const { fid, envelope, timestamp } = message;
    const { set, key } = conflictKey(message);
    // The hub accepted the message, so the database may be unavailable for a moment.
    const absent = (error: unknown): MessageRow[] => {
      if (!isDatabaseUnavailable(error)) throw error;
      return [];
    };
    for (;;) {
      const [holder] = await selectAccountMessages(db, fid, [{ messageSet: set, key }]).catch(absent);
      if (holder && (equalBytes(holder.hash, envelope.hash) || holder.ts > timestamp)) return;
      if (performance.now() > limit.end)
        throw unknownOutcome(envelope.hash, 'The hub took the message, but it did not come back in time');
      await delay(RECHECK_MS);
    }
  };

  /**
   * Submits until the outcome is known. After a commit with a lost response the same bytes are submitted again: they
   * are `known` if they were stored, and are stored otherwise.
   * @throws WriteError `unavailable` if the message is certainly not stored, `gateway_timeout` if the outcome is
   *   unknown at the deadline; errors of the hub
   */
  const submitWithRetry = async (signed: SignedDraft, limit: TimeLimit): Promise<IngestOutcome | undefined> => {
    const { hash } = signed.message.envelope;
    const timedOut = () => unknownOutcome(hash, `The message was not stored within ${limit.ms / 1000} s`);
    const item = { kind: 'message', wire: signed.wire } as const;
    for (let isOutcomeUncertain = false; ; ) {
      try {
        const report = deps.submit([item], { source: 'local', announce: true });
        const [outcome] = (await withTimeout(report, limit.end - performance.now(), timedOut)).outcomes;
        if (!isOutcomeUncertain || (outcome?.status !== 'superseded' && outcome?.status !== 'invalid')) return outcome;
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error;
        // What a hub accepted arrives with its stream, even if the database fails now.
        isOutcomeUncertain ||= deps.isForwarded || isOutcomeUnknown(error);
        if (!isOutcomeUncertain) throw databaseUnavailable(hash, error);
        if (performance.now() + RESUBMIT_MS < limit.end) {
          await delay(RESUBMIT_MS);
          continue;
        }
        throw unknownOutcome(hash, 'The database broke off while it stored the message', error);
      }
      // Either it was stored and then replaced or its key revoked, or the other message was stored first.
      throw unknownOutcome(hash, 'The database broke off while it stored the message, and others wrote meanwhile');
    }
  };

  const submit = async (signed: SignedDraft, limit: TimeLimit, property: Member): Promise<Offered> => {
    const { hash } = signed.message.envelope;
    try {
      const outcome = await submitWithRetry(signed, limit);
      if (outcome?.status === 'invalid') throw rejectedLocally(hash, outcome, property);
      return outcome?.status === 'superseded' ? 'superseded' : 'stored';
    } catch (error) {
      if (!deps.isForwarded || !(error instanceof AppError) || error instanceof WriteError) throw error;
      if (error.hubCode === 'bad_request.conflict') return 'superseded';
      if (error.kind === 'invalid') throw rejectedByHub(hash, error, property);
      if (error.code === HUB_UNREACHABLE) throw hubUnreachable(hash, error);
      throw unknownOutcome(hash, 'The hub did not answer', error);
    }
  };

  const offer = async (signed: SignedDraft, limit: TimeLimit, options: WriteOptions): Promise<Offered> => {
    try {
      const offered = await submit(signed, limit, options.property);
      if (offered === 'stored' && deps.isForwarded) await awaitStored(signed, limit);
      return offered;
    } catch (error) {
      if (error instanceof AppError && error.kind === 'invalid') await options.idempotencyRecord?.forget(signed.wire);
      throw error;
    }
  };

  /**
   * Submits the decision of an earlier request byte for byte. If it is superseded, it was stored before a later
   * message.
   */
  const resume = async (wire: Uint8Array, limit: TimeLimit, options: WriteOptions): Promise<WrittenMessage> => {
    const signed = readSigned(wire);
    await offer(signed, limit, options).catch((error: unknown) => {
      if (!(error instanceof WriteError) || error.code !== HUB_UNREACHABLE) throw error;
      // This time it was not sent, but the earlier request may have sent it.
      throw unknownOutcome(signed.message.envelope.hash, 'The hub cannot be reached', error);
    });
    return writtenMessageOf(noted(signed.message));
  };

  const checkIndexed = ({ message }: SignedDraft, property: Member): void => {
    if (!deps.isIndexed || deps.isIndexed(message)) return;
    const detail = `This service indexes chosen accounts only, and fid ${message.fid} is not one of them.`;
    throw rejectedLocally(message.envelope.hash, { status: 'invalid', reason: 'unknown_fid', detail }, property);
  };

  return {
    write: async (author, requested, options = {}) => {
      const { idempotencyRecord, unlessStored = false } = options;
      const limit = startLimit();
      const decided = await idempotencyRecord?.loadDecision();
      if (decided) return resume(decided, limit, options);
      const draft = typeof requested === 'function' ? await requested() : requested;
      let before: SignedDraft | undefined;
      for (;;) {
        const { holder, earliest } = await selectConflictingMessages(db, author.fid, draft);
        if (unlessStored && holder && !holder.void) {
          const stored = decodeMessage(envelopeOf(holder));
          if (hasSameContent(stored.data, draft)) return writtenMessageOf(stored);
        }
        // The hub may have a later message that is not stored here yet, so the timestamp also grows with each attempt.
        const after = Math.max(earliest, before ? before.message.timestamp + 1 : 0);
        const now = fromUnixMs(deps.clock());
        const signed = signDraft(author, draft, Math.max(now, after), network);
        checkClockSkew(signed.message, now);
        checkIndexed(signed, options.property);
        const counts = idempotencyRecord ? await idempotencyRecord.storeDecision(signed.wire) : signed.wire;
        if (!equalBytes(counts, signed.wire)) return resume(counts, limit, options);
        if ((await offer(signed, limit, options)) === 'stored') return writtenMessageOf(noted(signed.message));
        // Otherwise a repeated request would return this message as written.
        await idempotencyRecord?.forget(signed.wire);
        // The last attempt needs time for its response.
        if (performance.now() > limit.end - limit.ms / 2) throw repeatedlySuperseded(signed.message.envelope.hash);
        before = signed;
        if (deps.isForwarded) await delay(RECHECK_MS);
      }
    },
    submit: async (wire, options = {}) => {
      const signed = readSigned(wire);
      checkIndexed(signed, options.property);
      if ((await offer(signed, startLimit(), options)) === 'stored') return noted(signed.message);
      throw superseded(signed.message.envelope.hash, options.property);
    },
    latest: () => latest,
    learnLatest,
  };
};
