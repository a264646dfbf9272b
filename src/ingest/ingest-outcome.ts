import type { InvalidReason } from '../protocol/verification-result.js';
import type { HubPosition } from '../store/hub-position.js';

/** Reasons that only the stored state can give; the others are found by looking at the message alone. */
export type StateReason = 'unknown_signer' | 'no_storage' | 'unknown_name' | 'not_storable' | 'unknown_fid' | 'not_pro';

/** What became of one item. */
export type Outcome =
  /** `kept`: of a kind that this version does not read; stored as it is. `ignored`: outside of what is indexed. */
  | { readonly status: 'merged' | 'known' | 'superseded' | 'kept' | 'ignored' | 'removed' | 'absent' }
  | { readonly status: 'invalid'; readonly reason: InvalidReason | StateReason; readonly detail: string };

/** Where items come from; decides nothing by itself, but stands in the metrics. */
export type Source = 'hub' | 'backfill' | 'file' | 'local' | 'sample';

export interface SubmitOptions {
  readonly source: Source;
  /** Whether the event log tells of it: live sources do, bulk loads of history do not. */
  readonly announce: boolean;
  /** Accept signers that no stored event registered; their signatures are verified all the same. */
  readonly trustSigners?: boolean;
  /** True for accounts that the hub did not tell of: messages whose signer is unknown for that are kept as refused. */
  readonly isUntold?: (fid: number) => boolean;
  /** Position of the stream these items end at, written in the transaction of the last of them. */
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
  /** One for each item, in the order of the items. */
  readonly outcomes: readonly Outcome[];
}

/** @returns the counts of these outcomes, with the outcomes themselves. */
export const reportOf = (outcomes: readonly Outcome[]): IngestReport => {
  const counts = { merged: 0, known: 0, superseded: 0, kept: 0, ignored: 0, removed: 0, absent: 0 };
  const invalid: Partial<Record<InvalidReason | StateReason, number>> = {};
  for (const outcome of outcomes) {
    if (outcome.status === 'invalid') invalid[outcome.reason] = (invalid[outcome.reason] ?? 0) + 1;
    else counts[outcome.status]++;
  }
  return { ...counts, invalid, outcomes };
};
