import type { OnChainEvent, UserNameProof } from '@farcaster/core';
import type { Held } from './stored-message.js';
import type { SubmitOptions } from './ingest-outcome.js';

/** An item that is fit to be stored: verified, decoded, and with the options it was submitted with. */
export type Candidate = { readonly options: SubmitOptions } & (
  | { readonly kind: 'message'; readonly held: Held }
  | { readonly kind: 'removal'; readonly held: Held; readonly reason: 'prune' | 'revoke' | 'replaced' }
  | { readonly kind: 'onchain'; readonly event: OnChainEvent }
  | { readonly kind: 'proof'; readonly proof: UserNameProof }
);

export type MessageCandidate = Extract<Candidate, { kind: 'message' }>;

/** @returns the candidates of one kind, each with its place in the batch. */
export const ofKind = <Kind extends Candidate['kind']>(candidates: readonly Candidate[], kind: Kind) =>
  candidates.flatMap((candidate, index) =>
    candidate.kind === kind ? [{ index, candidate: candidate as Extract<Candidate, { kind: Kind }> }] : [],
  );
