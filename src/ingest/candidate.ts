import type { SubmitOptions } from './ingest-outcome.js';
import type { OnchainItem, ProofItem } from './item.js';
import type { StoredMessage } from './stored-message.js';

/** An item that can be stored: verified, decoded, and with the options of its submission. */
export type Candidate = { readonly options: SubmitOptions } & (
  | { readonly kind: 'message'; readonly message: StoredMessage }
  | { readonly kind: 'removal'; readonly message: StoredMessage; readonly reason: 'prune' | 'revoke' | 'replaced' }
  | OnchainItem
  | ProofItem
);

export type MessageCandidate = Extract<Candidate, { kind: 'message' }>;

/** Whether a hub has accepted the item, and reports by itself what it removes. */
export const isFromHub = ({ options: { source } }: Candidate): boolean => source === 'hub' || source === 'backfill';

/** @returns the candidates of one kind with their positions in the batch */
export const ofKind = <Kind extends Candidate['kind']>(candidates: readonly Candidate[], kind: Kind) =>
  candidates.flatMap((candidate, index) =>
    candidate.kind === kind ? [{ index, candidate: candidate as Extract<Candidate, { kind: Kind }> }] : [],
  );
