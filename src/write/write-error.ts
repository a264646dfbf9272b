import { AppError } from '../error.js';
import { toHex } from '../hex.js';
import type { IngestOutcome } from '../ingest/ingest-outcome.js';

/** The error for one message: it was rejected, or its outcome is unknown. */
export class WriteError extends AppError {
  constructor(
    /** Hash of the message, 20 bytes. */
    readonly hash: Uint8Array,
    ...error: ConstructorParameters<typeof AppError>
  ) {
    super(...error);
  }
}

type Refused = Extract<IngestOutcome, { status: 'invalid' }>;

/** Reasons that concern the account or its key, not the content of the message. */
const OF_THE_SIGNER = new Set(['unknown_signer', 'no_storage', 'unknown_fid']);

/**
 * The same reasons in the error messages of hubs, which have no codes for them (`MessageValidationError` in snapchain's
 * engine).
 */
const HUB_OF_THE_SIGNER: readonly (readonly [RegExp, string])[] = [
  [/unknown fid/i, 'unknown_fid'],
  [/(invalid|unknown|missing) signer/i, 'unknown_signer'],
  [/no storage/i, 'no_storage'],
];

/** A member of the request. If the request is the message itself, it is derived from the reason. */
export type Member = string | ((reason: string) => string) | undefined;

/** The member of the request that a rejection concerns: the signer, or the member that the message was made from. */
const propertyOf = (reason: string, property: Member): { property?: string } => {
  if (typeof property === 'function') return { property: property(reason) };
  if (OF_THE_SIGNER.has(reason)) return { property: 'signer_uuid' };
  return property === undefined ? {} : { property };
};

/** @returns the error for a message that violates this service's own rules, or could not be held against them */
export const rejectedLocally = (hash: Uint8Array, { reason, detail }: Refused, property: Member): WriteError => {
  if (reason === 'internal')
    return new WriteError(hash, 'internal', 'InternalServerError', 'The message could not be checked.');
  const options = propertyOf(reason, property);
  if (reason === 'chain_unavailable')
    return new WriteError(hash, 'unavailable', 'ChainUnavailable', `The message was not stored. ${detail}`, options);
  return new WriteError(hash, 'invalid', 'InvalidMessage', `The message was refused: ${detail}`, options);
};

const reasonOf = ({ message, hubCode = '' }: AppError): string =>
  HUB_OF_THE_SIGNER.find(([words]) => words.test(message))?.[1] ?? hubCode;

/** @returns the error for a message that the hub rejected, with the hub's message */
export const rejectedByHub = (hash: Uint8Array, error: AppError, property: Member): WriteError =>
  new WriteError(hash, 'invalid', 'InvalidMessage', error.message, {
    ...propertyOf(reasonOf(error), property),
    ...(error.hubCode === undefined ? {} : { hubCode: error.hubCode }),
    cause: error,
  });

/**
 * @param what happened, a sentence without its full stop
 * @returns the error for a message that may or may not be stored
 */
export const unknownOutcome = (hash: Uint8Array, what: string, cause?: unknown): WriteError => {
  const name = toHex(hash);
  const advice =
    `Whether message ${name} was stored is unknown: look it up by this hash before you send the request again. ` +
    'With the same idem, or as the same signed message, it is written once however often it is sent.';
  return new WriteError(hash, 'gateway_timeout', 'GatewayTimeout', `${what}. ${advice}`, { cause });
};

/** @returns the error for a message that is certainly not stored, because the database is unavailable */
export const databaseUnavailable = (hash: Uint8Array, cause: unknown): WriteError => {
  const message = 'The database does not answer at the moment, and the message was not stored. Try again shortly.';
  return new WriteError(hash, 'unavailable', 'ServiceUnavailable', message, { cause });
};

/** @returns the error for a message that was never sent to the hub, and is stored nowhere */
export const hubUnreachable = (hash: Uint8Array, cause: AppError): WriteError => {
  const message = 'The hub cannot be reached at the moment, and the message was not sent. Try again shortly.';
  return new WriteError(hash, 'unavailable', cause.code, message, { cause });
};

/** @returns the error for a message whose every retry was superseded by a concurrent write */
export const repeatedlySuperseded = (hash: Uint8Array): WriteError => {
  const message = 'Others write about the same thing at the same time. Try again in a moment.';
  return new WriteError(hash, 'conflict', 'Conflict', message, { retryAfter: 1 });
};

/** @returns the error for a message that a later stored message supersedes or removes */
export const superseded = (hash: Uint8Array, property: Member): WriteError => {
  const message = 'The message was refused: a stored one about the same thing is later, or removes it.';
  return new WriteError(hash, 'invalid', 'InvalidMessage', message, propertyOf('superseded', property));
};
