import type { InvalidReason } from '../protocol/verification-result.js';
import type { HubPosition } from '../store/hub/position.js';

/** Reasons that depend on the stored state; the others depend only on the message. */
export type StateReason =
  | 'unknown_signer'
  | 'no_storage'
  | 'unknown_name'
  | 'unverified_address'
  | 'not_storable'
  /** A chain that has to be asked does not answer: not the fault of the message. */
  | 'chain_unavailable'
  | 'unknown_fid'
  | 'not_pro';

export type IngestOutcome =
  /** `kept`: a type that this version does not read, stored unchanged. `ignored`: not indexed. */
  | { readonly status: 'merged' | 'known' | 'superseded' | 'kept' | 'ignored' | 'removed' | 'absent' }
  | { readonly status: 'invalid'; readonly reason: InvalidReason | StateReason; readonly detail: string };

export type InvalidOutcome = Extract<IngestOutcome, { status: 'invalid' }>;

/** Result of items of which some may be stored as refused. */
export interface StoredBatch {
  /** In the order of the items; undefined for those stored as refused. */
  readonly outcomes: readonly (IngestOutcome | undefined)[];
  /** Number of items stored as refused. */
  readonly refused: number;
}

/** Source of items, for the metrics. */
export type Source = 'hub' | 'backfill' | 'file' | 'local' | 'sample';

export interface SubmitOptions {
  readonly source: Source;
  /** Whether the event log gets an event: true for live sources, false for bulk loads of history. */
  readonly announce: boolean;
  /** Accept signers without a stored registration; signatures are still verified. */
  readonly trustSigners?: boolean;
  /** True for accounts that the hub failed to return: their messages with an unknown signer are stored as refused. */
  readonly isUnresolved?: (fid: number) => boolean;
  /** Position of the stream after these items, written in the transaction of the last of them. */
  readonly position?: HubPosition;
}

export interface IngestReport {
  readonly merged: number;
  readonly known: number;
  readonly superseded: number;
  readonly kept: number;
  readonly ignored: number;
  readonly removed: number;
  readonly absent: number;
  readonly invalid: Readonly<Partial<Record<InvalidReason | StateReason, number>>>;
  /** In the order of the items. */
  readonly outcomes: readonly IngestOutcome[];
}

export const reportOf = (outcomes: readonly IngestOutcome[]): IngestReport => {
  const counts = { merged: 0, known: 0, superseded: 0, kept: 0, ignored: 0, removed: 0, absent: 0 };
  const invalid: Partial<Record<InvalidReason | StateReason, number>> = {};
  for (const outcome of outcomes) {
    if (outcome.status === 'invalid') invalid[outcome.reason] = (invalid[outcome.reason] ?? 0) + 1;
    else counts[outcome.status]++;
  }
  return { ...counts, invalid, outcomes };
};
