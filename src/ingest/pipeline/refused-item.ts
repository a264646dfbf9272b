import { OnChainEvent, UserNameProof } from '@farcaster/core';
import { sqlState } from '../../db/failure.js';
import type { RefusedItemRow } from '../../store/protocol/refused-item.js';
import { storable } from '../../store/protocol/text.js';
import type { SubmitOptions } from '../ingest-outcome.js';
import { encodeOnchain, type IngestItem } from '../item.js';
import { readMessageHead } from '../wire.js';

/** Maximum length of an error text in characters. */
const MAX_FAILURE_LENGTH = 2_000;

const bodyOf = (item: IngestItem): Uint8Array => {
  if (item.kind === 'onchain') return encodeOnchain(item);
  if (item.kind === 'proof') return UserNameProof.encode(item.proof).finish();
  return item.wire;
};

const fidOf = (item: IngestItem): number | undefined => {
  if (item.kind === 'onchain') return item.event.fid;
  if (item.kind === 'proof') return item.proof.fid;
  return readMessageHead(item.wire)?.fid;
};

/** The fid itself may be what is invalid: one that the column cannot store must not prevent storing the item. */
const storableFid = (fid: number | undefined): number => (fid !== undefined && Number.isSafeInteger(fid) ? fid : 0);

const failureOf = (error: unknown): string =>
  storable(error instanceof Error ? error.message : String(error)).slice(0, MAX_FAILURE_LENGTH);

/**
 * @param error of the submission
 * @returns the row of an item that cannot be stored; its fid is 0 if the item has none
 */
export const refusedItemRow = (
  item: IngestItem,
  options: Pick<SubmitOptions, 'source' | 'announce' | 'trustSigners'>,
  error: unknown,
): RefusedItemRow => ({
  kind: item.kind,
  body: bodyOf(item),
  removalReason: item.kind === 'removal' ? item.reason : null,
  fid: storableFid(fidOf(item)),
  source: options.source,
  announce: options.announce,
  trustSigners: options.trustSigners ?? false,
  sqlstate: sqlState(error) ?? null,
  failure: failureOf(error),
});

export const itemOfRefused = ({ kind, body, removalReason: reason }: RefusedItemRow): IngestItem => {
  if (kind === 'onchain') return { kind, event: OnChainEvent.decode(body), wire: body };
  if (kind === 'proof') return { kind, proof: UserNameProof.decode(body) };
  return kind === 'removal' ? { kind, reason: reason ?? 'prune', wire: body } : { kind, wire: body };
};
