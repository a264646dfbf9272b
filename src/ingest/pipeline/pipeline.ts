import { FarcasterNetwork } from '@farcaster/core';
import { AppError } from '../../error.js';
import { isOwnerProof } from '../../protocol/check/username.js';
import { isRegistryProof } from '../../protocol/name-registry.js';
import type { VerificationResult } from '../../protocol/verification-result.js';
import { decodeMessage } from '../../protocol/wire/decode.js';
import { decodeEnvelope } from '../../protocol/wire/envelope.js';
import type { ProtocolMessage } from '../../protocol/wire/message.js';
import { upsertHubPosition } from '../../store/hub/position.js';
import { upsertRefusedItem } from '../../store/protocol/refused-item.js';
import type { Candidate } from '../candidate.js';
import { type IngestOutcome, type IngestReport, reportOf, type SubmitOptions } from '../ingest-outcome.js';
import type { IngestItem } from '../item.js';
import { withItemErrors } from '../item-error.js';
import { decodedOf, toStoredMessage } from '../stored-message.js';
import { createChainClaimCheck } from './chain-claim.js';
import { createCommitter } from './committer.js';
import type { IngestDependencies } from './dependencies.js';
import { refusedItemRow } from './refused-item.js';
import { createRejectionLog } from './rejection-log.js';

/** Stores items of every source. */
export interface Ingest {
  /**
   * Verifies, merges and stores items in order. Concurrent calls may share a transaction. Resolves after the commit of
   * the last item.
   * @throws the database's error, or one of our own (`isItemError` tells which). Nothing after the last full batch was
   *   written, or the outcome of the next one is unknown (`isOutcomeUnknown`). Submit all items again; stored ones are
   *   then `known`.
   */
  submit(items: readonly IngestItem[], options: SubmitOptions): Promise<IngestReport>;
  /**
   * Stores an item that cannot be stored otherwise in the table of refused items, with the position in one transaction.
   * @param error thrown by `submit`
   * @throws the database's error: nothing was written
   */
  refuse(item: IngestItem, options: SubmitOptions, error: unknown): Promise<void>;
  /** Resolves when everything that was submitted is committed or rejected. */
  drain(): Promise<void>;
}

type Prepared = { readonly candidate: Candidate } | { readonly outcome: IngestOutcome };

const invalid = (result: Extract<VerificationResult, { ok: false }>): Prepared => ({
  outcome: { status: 'invalid', reason: result.reason, detail: result.detail },
});

const decode = (wire: Uint8Array): ProtocolMessage => decodeMessage(decodeEnvelope(wire));

const removal = (item: Extract<IngestItem, { kind: 'removal' }>, options: SubmitOptions): Prepared => {
  try {
    return {
      candidate: { kind: 'removal', reason: item.reason, message: toStoredMessage(decode(item.wire)), options },
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { outcome: { status: 'invalid', reason: 'parse_failure', detail: error.message } };
  }
};

export const createIngest = (deps: IngestDependencies): Ingest => {
  const committer = createCommitter(deps);
  const logRejections = createRejectionLog(deps.log);
  const checkChainClaim = deps.chains && createChainClaimCheck(deps.chains, deps.db);

  const message = (wire: Uint8Array, result: VerificationResult, options: SubmitOptions): Prepared => {
    if (!result.ok) return invalid(result);
    const decoded = decode(wire);
    if (deps.isIndexed && !deps.isIndexed(decoded)) return { outcome: { status: 'ignored' } };
    return { candidate: { kind: 'message', message: toStoredMessage(decoded), options } };
  };

  /**
   * A hub has checked the proofs that it sends, a file may contain anything, and the public network has one name
   * registry. For names of other registries, the owner that a file states is trusted, because only a chain knows it.
   */
  const proof = (item: Extract<IngestItem, { kind: 'proof' }>, options: SubmitOptions): Prepared => {
    const isPublic = deps.network === FarcasterNetwork.MAINNET;
    if (!isPublic || options.source !== 'file' || isRegistryProof(item.proof) || isOwnerProof(item.proof)) {
      return { candidate: { ...item, options } };
    }
    const detail =
      'The proof is signed neither by the name registry of the public network nor by the owner of an ENS name or Basename.';
    return { outcome: { status: 'invalid', reason: 'bad_signature', detail } };
  };

  const prepare = async (items: readonly IngestItem[], options: SubmitOptions): Promise<Prepared[]> => {
    const wires = items.flatMap((item) => (item.kind === 'message' ? [item.wire] : []));
    const isSubmission = options.source === 'local';
    const chainClaims = isSubmission && !deps.chains ? 'refuse' : 'accept';
    // The hub's network judged the time when it took a message; a file is refused visibly, and can be imported again.
    const futureTimestamps = options.source === 'hub' || options.source === 'backfill' ? 'accept' : 'refuse';
    const how = { isSubmission, chainClaims, futureTimestamps } as const;
    const results = wires.length === 0 ? [] : await deps.verify(wires, how);
    let next = 0;
    return items.map((item): Prepared => {
      if (item.kind === 'message') return message(item.wire, results[next++] as VerificationResult, options);
      if (item.kind === 'removal') return removal(item, options);
      if (item.kind === 'onchain') return { candidate: { ...item, options } };
      return proof(item, options);
    });
  };

  /** Outside of any transaction, because chains take their time. */
  const checkClaims = async (prepared: readonly Prepared[]): Promise<Prepared[]> =>
    Promise.all(
      prepared.map(async (one) => {
        if (!checkChainClaim || !('candidate' in one) || one.candidate.kind !== 'message') return one;
        const outcome = await checkChainClaim(decodedOf(one.candidate.message));
        return outcome ? { outcome } : one;
      }),
    );

  return {
    submit: async (items, options) => {
      const checked = await withItemErrors(() => prepare(items, options));
      const prepared = options.source === 'local' ? await checkClaims(checked) : checked;
      const candidates = prepared.flatMap((one) => ('candidate' in one ? [one.candidate] : []));
      const stored = await committer.commit(candidates, options);
      let next = 0;
      const outcomes = prepared.map((one) => ('outcome' in one ? one.outcome : (stored[next++] as IngestOutcome)));
      const early = prepared.flatMap((one) => ('outcome' in one ? [one.outcome] : []));
      if (early.length > 0) deps.onBatch?.({ source: options.source, report: reportOf(early) });
      const report = reportOf(outcomes);
      logRejections(options.source, report);
      return report;
    },
    refuse: async (item, options, error) => {
      // The next sync finds again what a hub does not have.
      const row = item.kind === 'proof' && item.isRemoval ? undefined : refusedItemRow(item, options, error);
      await deps.db.transaction(async (session) => {
        if (row) await upsertRefusedItem(session, row);
        if (options.position) await upsertHubPosition(session, options.position);
      });
    },
    drain: () => committer.drain(),
  };
};
