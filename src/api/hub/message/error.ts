import { AppError } from '../../../error.js';
import type { IngestOutcome, StateReason } from '../../../ingest/ingest-outcome.js';
import { hubErrorCode, type InvalidReason } from '../../../protocol/verification-result.js';

/** Error codes of hubs for rejections that depend on stored state. */
const STATE_CODES: Readonly<Record<StateReason, string>> = {
  unknown_signer: 'bad_request.unknown_signer',
  no_storage: 'bad_request.no_storage',
  unknown_fid: 'bad_request.unknown_fid',
  unknown_name: 'bad_request.validation_failure',
  unverified_address: 'bad_request.validation_failure',
  not_storable: 'bad_request.validation_failure',
  chain_unavailable: 'unavailable',
  not_pro: 'bad_request.validation_failure',
};

const isStateReason = (reason: InvalidReason | StateReason): reason is StateReason => reason in STATE_CODES;

/** @returns the hub's error for a rejected message; reason `internal` is an error of the service, not of the caller */
export const refusal = (reason: InvalidReason | StateReason, detail: string): AppError => {
  if (reason === 'internal')
    return new AppError('internal', 'InternalServerError', 'The message could not be checked.');
  if (reason === 'chain_unavailable') return new AppError('unavailable', 'ChainUnavailable', detail);
  const hubCode = isStateReason(reason) ? STATE_CODES[reason] : hubErrorCode(reason);
  return new AppError('invalid', 'InvalidMessage', detail, { hubCode });
};

const UNCHANGED = {
  known: ['bad_request.duplicate', 'The message is stored already.'],
  superseded: ['bad_request.conflict', 'A stored message about the same thing is later, or removes it.'],
  ignored: ['bad_request.unknown_fid', 'This service indexes chosen accounts only, and not this one.'],
} as const;

/** @returns the hub's error for a submitted message; undefined: it is stored */
export const refusalOf = (outcome: IngestOutcome | undefined): AppError | undefined => {
  if (outcome?.status === 'invalid') return refusal(outcome.reason, outcome.detail);
  if (outcome?.status !== 'known' && outcome?.status !== 'superseded' && outcome?.status !== 'ignored')
    return undefined;
  const [hubCode, message] = UNCHANGED[outcome.status];
  return new AppError('invalid', 'InvalidMessage', message, { hubCode });
};
