import { FarcasterNetwork } from '@farcaster/core';
import type { Logger } from 'pino';
import { AppError } from '../error.js';
import { decodeMessage } from '../protocol/wire/decode.js';
import { decodeEnvelope } from '../protocol/wire/envelope.js';
import type { ProtocolMessage } from '../protocol/wire/message.js';
import { isRegistryProof } from '../protocol/name-registry.js';
import type { Verdict } from '../protocol/verification-result.js';
import type { VerifyPool } from '../protocol/verify/pool.js';
import type { Invalidation } from '../store/change.js';
import type { Database } from '../store/database.js';
import { upsertHubPosition } from '../store/hub-position.js';
import { upsertRefusedItem } from '../store/refused-item.js';
import type { Candidate } from './candidate.js';
import { createCommitter } from './pipeline/committer.js';
import { holdMessage } from './stored-message.js';
import type { IngestItem } from './item.js';
import { blamingItems } from './item-fault.js';
import { type IngestReport, type Outcome, reportOf, type Source, type SubmitOptions } from './ingest-outcome.js';
import { refusedItemRow } from './pipeline/refused-item.js';

/** The one way into the store, for every source. */
export interface Ingest {
  /**
   * Verifies, merges and stores items in their order; several calls are committed together when they meet.
   * Resolves after the commit of the last item.
   * @throws the database's error, or one of our own (`isItemFault` tells whose fault it may be): nothing after the last
   *   full batch was written, or nobody knows whether the next one was (`isOutcomeUnknown`). Send all again; what is
   *   stored is `known` then
   */
  submit(items: readonly IngestItem[], options: SubmitOptions): Promise<IngestReport>;
  /**
   * Keeps an item that cannot be stored in the table of refused items, with the position in one transaction.
   * @param error what `submit` threw
   * @throws the database's error: nothing was written
   */
  refuse(item: IngestItem, options: SubmitOptions, error: unknown): Promise<void>;
  /** Resolves when everything that was submitted is committed or refused. */
  drain(): Promise<void>;
}

export interface IngestParts {
  readonly db: Database;
  /** Checks the wire bytes of messages. */
  readonly verify: VerifyPool['verify'];
  readonly network: FarcasterNetwork;
  /** Which messages are indexed at all (partial mode); absent: all. */
  readonly isIndexed?: (message: ProtocolMessage) => boolean;
  /** Called after each commit, or what may have been one, before `submit` settles, with what caches must drop. */
  readonly onCommit?: (invalidation: Invalidation) => void;
  /** Called once for each batch, for the metrics. */
  readonly onBatch?: (batch: {
    readonly source: Source;
    readonly report: IngestReport;
    readonly seconds: number;
  }) => void;
  readonly log?: Logger;
  /** Unix milliseconds. */
  readonly now?: () => number;
}

type Prepared = { readonly candidate: Candidate } | { readonly outcome: Outcome };

const invalid = (verdict: Extract<Verdict, { ok: false }>): Prepared => ({
  outcome: { status: 'invalid', reason: verdict.reason, detail: verdict.detail },
});

const decode = (wire: Uint8Array): ProtocolMessage => decodeMessage(decodeEnvelope(wire));

const removal = (item: Extract<IngestItem, { kind: 'removal' }>, options: SubmitOptions): Prepared => {
  try {
    return { candidate: { kind: 'removal', reason: item.reason, held: holdMessage(decode(item.wire)), options } };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { outcome: { status: 'invalid', reason: 'parse_failure', detail: error.message } };
  }
};

/** @returns the pipeline from items of any source to the store. */
export const createIngest = (parts: IngestParts): Ingest => {
  const committer = createCommitter(parts);

  const message = (wire: Uint8Array, verdict: Verdict, options: SubmitOptions): Prepared => {
    if (!verdict.ok) return invalid(verdict);
    const decoded = decode(wire);
    if (parts.isIndexed && !parts.isIndexed(decoded)) return { outcome: { status: 'ignored' } };
    return { candidate: { kind: 'message', held: holdMessage(decoded), options } };
  };

  /** What a hub sends it has checked; a file says whatever it likes, and the public network has one name registry. */
  const proof = (item: Extract<IngestItem, { kind: 'proof' }>, options: SubmitOptions): Prepared => {
    const isPublic = parts.network === FarcasterNetwork.MAINNET;
    if (!isPublic || options.source !== 'file' || isRegistryProof(item.proof)) {
      return { candidate: { kind: 'proof', proof: item.proof, options } };
    }
    const detail = 'The proof is not signed by the name registry of the public network.';
    return { outcome: { status: 'invalid', reason: 'bad_signature', detail } };
  };

  const prepare = async (items: readonly IngestItem[], options: SubmitOptions): Promise<Prepared[]> => {
    const wires = items.flatMap((item) => (item.kind === 'message' ? [item.wire] : []));
    const isSubmission = options.source === 'local';
    const verdicts =
      wires.length === 0
        ? []
        : await parts.verify(wires, { isSubmission, chainClaims: isSubmission ? 'refuse' : 'accept' });
    let next = 0;
    return items.map((item): Prepared => {
      if (item.kind === 'message') return message(item.wire, verdicts[next++] as Verdict, options);
      if (item.kind === 'removal') return removal(item, options);
      if (item.kind === 'onchain') return { candidate: { kind: 'onchain', event: item.event, options } };
      return proof(item, options);
    });
  };

  return {
    submit: async (items, options) => {
      const prepared = await blamingItems(() => prepare(items, options));
      const candidates = prepared.flatMap((one) => ('candidate' in one ? [one.candidate] : []));
      const stored = await committer.commit(candidates, options);
      let next = 0;
      const outcomes = prepared.map((one) => ('outcome' in one ? one.outcome : (stored[next++] as Outcome)));
      return reportOf(outcomes);
    },
    refuse: async (item, options, error) => {
      const row = refusedItemRow(item, options, error);
      await parts.db.transaction(async (session) => {
        await upsertRefusedItem(session, row);
        if (options.position) await upsertHubPosition(session, options.position);
      });
    },
    drain: () => committer.drain(),
  };
};
