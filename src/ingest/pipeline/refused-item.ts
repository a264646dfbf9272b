import { OnChainEvent, UserNameProof } from '@farcaster/core';
import { sqlState } from '../../store/failure.js';
import type { RefusedItemRow } from '../../store/refused-item.js';
import { storable } from '../../store/text.js';
import { readMessageHead } from '../wire.js';
import type { IngestItem } from '../item.js';
import type { SubmitOptions } from '../ingest-outcome.js';

/** Characters of a failure that are kept. */
const MAX_FAILURE_LENGTH = 2_000;

const bodyOf = (item: IngestItem): Uint8Array => {
  if (item.kind === 'onchain') return OnChainEvent.encode(item.event).finish();
  if (item.kind === 'proof') return UserNameProof.encode(item.proof).finish();
  return item.wire;
};

const fidOf = (item: IngestItem): number | undefined => {
  if (item.kind === 'onchain') return item.event.fid;
  if (item.kind === 'proof') return item.proof.fid;
  return readMessageHead(item.wire)?.fid;
};

/** What is wrong with an item may be its fid: one that the column cannot hold must not keep it from being kept. */
const storableFid = (fid: number | undefined): number => (fid !== undefined && Number.isSafeInteger(fid) ? fid : 0);

const failureOf = (error: unknown): string =>
  storable(error instanceof Error ? error.message : String(error)).slice(0, MAX_FAILURE_LENGTH);

/**
 * @param error what the store said of the item
 * @returns the row that keeps an item which cannot be stored; its fid is 0 where the item tells none
 */
export const refusedItemRow = (
  item: IngestItem,
  options: Pick<SubmitOptions, 'source' | 'announce' | 'trustSigners'>,
  error: unknown,
): RefusedItemRow => ({
  kind: item.kind,
  body: bodyOf(item),
  removal_reason: item.kind === 'removal' ? item.reason : null,
  fid: storableFid(fidOf(item)),
  source: options.source,
  announce: options.announce,
  trust_signers: options.trustSigners ?? false,
  sqlstate: sqlState(error) ?? null,
  failure: failureOf(error),
});

/** @returns the item that a row keeps. */
export const itemOfRefused = ({ kind, body, removal_reason: reason }: RefusedItemRow): IngestItem => {
  if (kind === 'onchain') return { kind, event: OnChainEvent.decode(body) };
  if (kind === 'proof') return { kind, proof: UserNameProof.decode(body) };
  return kind === 'removal' ? { kind, reason: reason ?? 'prune', wire: body } : { kind, wire: body };
};
