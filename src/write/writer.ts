import type { FarcasterNetwork, MessageData } from '@farcaster/core';
import { AppError } from '../error.js';
import type { Outcome } from '../ingest/ingest-outcome.js';
import type { Ingest } from '../ingest/pipeline.js';
import { conflictKey } from '../protocol/conflict.js';
import { decodeMessage } from '../protocol/wire/decode.js';
import { decodeEnvelope } from '../protocol/wire/envelope.js';
import type { ProtocolMessage } from '../protocol/wire/message.js';
import { fromUnixMs } from '../protocol/time.js';
import { isOutcomeUnknown } from '../store/commit-outcome.js';
import type { Database } from '../store/database.js';
import { isDatabaseAway } from '../store/failure.js';
import { envelopeOf, type MessageRow, selectAccountMessages } from '../store/message.js';
import { type Author, type Draft, type SignedDraft, saysTheSame, signDraft } from './unsigned-message.js';
import type { Journal } from './journal.js';
import {
  type Member,
  NotWritten,
  notStored,
  outpaced,
  refusedByHub,
  refusedHere,
  superseded,
  unknownOutcome,
} from './write-error.js';
import { checkReach, selectRivals } from './rival.js';

/** What is dated further ahead is shown when its time is there, whoever wrote it. */
const NOTED_AHEAD_SECONDS = 10;

/** Milliseconds between two looks for a message that the hub took. */
const LOOK_AGAIN_MS = 50;

/** Milliseconds before a message is submitted again that may be stored. */
const SUBMIT_AGAIN_MS = 200;

/** A message that is stored. */
export interface Written {
  /** 20 bytes */
  readonly hash: Uint8Array;
  /** Protocol seconds. */
  readonly timestamp: number;
  /** What the stored message says: after a retry not what the draft of the retry says, but of the first try. */
  readonly message: MessageData;
}

export interface WriteOptions {
  /** The member of the request that the message was made from; a refusal of the message names it. */
  readonly property?: Member;
  /** Answers with the message in force when that says the same already, instead of writing it again. */
  readonly unlessInForce?: boolean;
  /** Makes a repeated request write one message alone. */
  readonly journal?: Journal | undefined;
}

/** Writes in the name of accounts. */
export interface Writer {
  /**
   * Dates, hashes and signs a message, submits it, and resolves when it is stored: the next read of this process
   * shows it.
   * @param draft or what makes it, which a request whose message is decided already does not ask for again
   * @throws AppError `invalid` when the message is refused, `unavailable` when the database is away and the message is
   *   not stored, `gateway_timeout` when nobody knows whether it is stored, `conflict` when others write about the same thing without end; a `NotWritten` once there is a message
   */
  write(author: Author, draft: Draft | (() => Promise<Draft>), options?: WriteOptions): Promise<Written>;
  /**
   * Submits a message that was signed elsewhere, and resolves when it is stored; again, when it was before.
   * @param wire bytes of the protobuf `Message`
   * @throws AppError as `write` does, and `invalid` when a stored message leaves no room for this one
   */
  submit(wire: Uint8Array, options?: Pick<WriteOptions, 'property'>): Promise<ProtocolMessage>;
  /**
   * @returns protocol seconds of the latest message that was written here, a few seconds ahead of the clock at most; 0:
   *   there is none
   */
  latest(): number;
}

export interface WriterParts {
  readonly db: Database;
  readonly submit: Ingest['submit'];
  /** Whether `submit` asks another hub, which may take what the store does not have yet. */
  readonly isForwarded: boolean;
  readonly network: FarcasterNetwork;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** How long a message may take to be stored. */
  readonly timeoutMs: number;
  /** Which messages are indexed at all (partial mode); absent: all. */
  readonly isIndexed?: ((message: ProtocolMessage) => boolean) | undefined;
}

type Offered = 'stored' | 'superseded';

const readSigned = (wire: Uint8Array): SignedDraft => ({ wire, message: decodeMessage(decodeEnvelope(wire)) });

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

const writtenOf = ({ envelope, timestamp, data }: ProtocolMessage): Written => ({
  hash: envelope.hash,
  timestamp,
  message: data,
});

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** @throws what `late` makes when the promise takes longer */
const within = async <T>(promise: Promise<T>, ms: number, late: () => Error): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), Math.max(0, ms));
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
};

export const createWriter = (parts: WriterParts): Writer => {
  const { db, network, timeoutMs } = parts;
  let latest = 0;

  const noted = (message: ProtocolMessage): ProtocolMessage => {
    if (message.timestamp <= fromUnixMs(parts.clock()) + NOTED_AHEAD_SECONDS) {
      latest = Math.max(latest, message.timestamp);
    }
    return message;
  };

  /** Waits for what the hub took but the store could not take at once: its stream brings it. */
  const awaitStored = async ({ message }: SignedDraft, deadline: number): Promise<void> => {
    const { fid, envelope, timestamp } = message;
    const { set, key } = conflictKey(message);
    // A database that is away for a moment takes nothing back that the hub took.
    const absent = (error: unknown): MessageRow[] => {
      if (!isDatabaseAway(error)) throw error;
      return [];
    };
    for (;;) {
      const [holder] = await selectAccountMessages(db, fid, [{ message_set: set, key }]).catch(absent);
      if (holder && (isSame(holder.hash, envelope.hash) || holder.ts > timestamp)) return;
      if (performance.now() > deadline)
        throw unknownOutcome(envelope.hash, 'The hub took the message, but it did not come back in time');
      await delay(LOOK_AGAIN_MS);
    }
  };

  /**
   * Submits until the store says what became of the message: after a commit whose answer was lost, the same bytes again
   * are `known` when they were stored, and are stored when they were not.
   * @throws NotWritten `unavailable` when the message is surely not stored, `gateway_timeout` when nobody knows by the
   *   deadline; what the hub says
   */
  const submitWithRetry = async (signed: SignedDraft, deadline: number): Promise<Outcome | undefined> => {
    const { hash } = signed.message.envelope;
    const late = () => unknownOutcome(hash, `The message was not stored within ${timeoutMs / 1000} s`);
    const item = { kind: 'message', wire: signed.wire } as const;
    for (let isDoubtful = false; ; ) {
      try {
        const report = parts.submit([item], { source: 'local', announce: true });
        const [outcome] = (await within(report, deadline - performance.now(), late)).outcomes;
        if (!isDoubtful || (outcome?.status !== 'superseded' && outcome?.status !== 'invalid')) return outcome;
      } catch (error) {
        if (!isDatabaseAway(error)) throw error;
        // What a hub took comes with its stream, whatever the database here does.
        isDoubtful ||= parts.isForwarded || isOutcomeUnknown(error);
        if (!isDoubtful) throw notStored(hash, error);
        if (performance.now() + SUBMIT_AGAIN_MS < deadline) {
          await delay(SUBMIT_AGAIN_MS);
          continue;
        }
        throw unknownOutcome(hash, 'The database broke off while it stored the message', error);
      }
      // Either it was stored and then replaced or its key revoked, or that came first.
      throw unknownOutcome(hash, 'The database broke off while it stored the message, and others wrote meanwhile');
    }
  };

  const submit = async (signed: SignedDraft, deadline: number, property: Member): Promise<Offered> => {
    const { hash } = signed.message.envelope;
    try {
      const outcome = await submitWithRetry(signed, deadline);
      if (outcome?.status === 'invalid') throw refusedHere(hash, outcome, property);
      return outcome?.status === 'superseded' ? 'superseded' : 'stored';
    } catch (error) {
      if (!parts.isForwarded || !(error instanceof AppError) || error instanceof NotWritten) throw error;
      if (error.hubCode === 'bad_request.conflict') return 'superseded';
      if (error.kind === 'invalid') throw refusedByHub(hash, error, property);
      throw unknownOutcome(hash, 'The hub did not answer', error);
    }
  };

  const offer = async (signed: SignedDraft, deadline: number, options: WriteOptions): Promise<Offered> => {
    try {
      const offered = await submit(signed, deadline, options.property);
      if (offered === 'stored' && parts.isForwarded) await awaitStored(signed, deadline);
      return offered;
    } catch (error) {
      if (error instanceof AppError && error.kind === 'invalid') await options.journal?.forget(signed.wire);
      throw error;
    }
  };

  /** What was decided before is submitted byte for byte. Superseded means: it was stored, and then came a later one. */
  const resume = async (wire: Uint8Array, deadline: number, options: WriteOptions): Promise<Written> => {
    const signed = readSigned(wire);
    await offer(signed, deadline, options);
    return writtenOf(noted(signed.message));
  };

  const checkIndexed = ({ message }: SignedDraft, property: Member): void => {
    if (!parts.isIndexed || parts.isIndexed(message)) return;
    const detail = `This service indexes chosen accounts only, and fid ${message.fid} is not one of them.`;
    throw refusedHere(message.envelope.hash, { status: 'invalid', reason: 'unknown_fid', detail }, property);
  };

  return {
    write: async (author, asked, options = {}) => {
      const { journal, unlessInForce = false } = options;
      const deadline = performance.now() + timeoutMs;
      const decided = await journal?.recall();
      if (decided) return resume(decided, deadline, options);
      const draft = typeof asked === 'function' ? await asked() : asked;
      let before: SignedDraft | undefined;
      for (;;) {
        const { holder, earliest } = await selectRivals(db, author.fid, draft);
        if (unlessInForce && holder && !holder.void) {
          const standing = decodeMessage(envelopeOf(holder));
          if (saysTheSame(standing.data, draft)) return writtenOf(standing);
        }
        // The hub may know of a later message that has not come here: then go on from where we were.
        const after = Math.max(earliest, before ? before.message.timestamp + 1 : 0);
        const now = fromUnixMs(parts.clock());
        const signed = signDraft(author, draft, Math.max(now, after), network);
        checkReach(signed.message, now);
        checkIndexed(signed, options.property);
        const counts = journal ? await journal.decide(signed.wire) : signed.wire;
        if (!isSame(counts, signed.wire)) return resume(counts, deadline, options);
        if ((await offer(signed, deadline, options)) === 'stored') return writtenOf(noted(signed.message));
        // Kept, it would tell the next try that all is done.
        await journal?.forget(signed.wire);
        // A last try needs time to be answered in.
        if (performance.now() > deadline - timeoutMs / 2) throw outpaced(signed.message.envelope.hash);
        before = signed;
        if (parts.isForwarded) await delay(LOOK_AGAIN_MS);
      }
    },
    submit: async (wire, options = {}) => {
      const signed = readSigned(wire);
      checkIndexed(signed, options.property);
      if ((await offer(signed, performance.now() + timeoutMs, options)) === 'stored') return noted(signed.message);
      throw superseded(signed.message.envelope.hash, options.property);
    },
    latest: () => latest,
  };
};
