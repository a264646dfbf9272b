import { AppError } from '../error.js';
import type { Outcome } from '../ingest/ingest-outcome.js';

/** The error for one message: it was refused, or nobody knows what became of it. */
export class NotWritten extends AppError {
  constructor(
    /** Of the message, 20 bytes. */
    readonly hash: Uint8Array,
    ...error: ConstructorParameters<typeof AppError>
  ) {
    super(...error);
  }
}

type Refused = Extract<Outcome, { status: 'invalid' }>;

/** Reasons that lie with the account or its key, whatever the message says. */
const OF_THE_SIGNER = new Set(['unknown_signer', 'no_storage', 'unknown_fid']);

/** The same in the words of hubs, which have no codes for them (`MessageValidationError` in snapchain's engine). */
const HUB_OF_THE_SIGNER: readonly (readonly [RegExp, string])[] = [
  [/unknown fid/i, 'unknown_fid'],
  [/(invalid|unknown|missing) signer/i, 'unknown_signer'],
  [/no storage/i, 'no_storage'],
];

/** A member of the request; where the request is the message itself, the reason of a refusal tells which one. */
export type Member = string | ((reason: string) => string) | undefined;

/** The member of the request that a refusal is about: the signer's, or the one that the message was made from. */
const propertyOf = (reason: string, property: Member): { property?: string } => {
  if (typeof property === 'function') return { property: property(reason) };
  if (OF_THE_SIGNER.has(reason)) return { property: 'signer_uuid' };
  return property === undefined ? {} : { property };
};

/** @returns the error for a message that this service's own rules refuse. */
export const refusedHere = (hash: Uint8Array, { reason, detail }: Refused, property: Member): NotWritten =>
  reason === 'internal'
    ? new NotWritten(hash, 'internal', 'InternalServerError', 'The message could not be checked.')
    : new NotWritten(
        hash,
        'invalid',
        'InvalidMessage',
        `The message was refused: ${detail}`,
        propertyOf(reason, property),
      );

const reasonOf = ({ message, hubCode = '' }: AppError): string =>
  HUB_OF_THE_SIGNER.find(([words]) => words.test(message))?.[1] ?? hubCode;

/** @returns the error for a message that the hub refused, in the hub's own words. */
export const refusedByHub = (hash: Uint8Array, error: AppError, property: Member): NotWritten =>
  new NotWritten(hash, 'invalid', 'InvalidMessage', error.message, {
    ...propertyOf(reasonOf(error), property),
    ...(error.hubCode === undefined ? {} : { hubCode: error.hubCode }),
    cause: error,
  });

/**
 * @param what happened, a sentence without its full stop
 * @returns the error for a message of which nobody knows whether it is stored
 */
export const unknownOutcome = (hash: Uint8Array, what: string, cause?: unknown): NotWritten => {
  const name = `0x${Buffer.from(hash).toString('hex')}`;
  const advice =
    `Whether message ${name} was stored is unknown: look it up by this hash before you send the request again. ` +
    'With the same idem, or as the same signed message, it is written once however often it is sent.';
  return new NotWritten(hash, 'gateway_timeout', 'GatewayTimeout', `${what}. ${advice}`, { cause });
};

/** @returns the error for a message that is surely not stored, because the database is away. */
export const notStored = (hash: Uint8Array, cause: unknown): NotWritten => {
  const message = 'The database does not answer at the moment, and the message was not stored. Try again shortly.';
  return new NotWritten(hash, 'unavailable', 'ServiceUnavailable', message, { cause });
};

/** @returns the error for a message that others were always faster than. */
export const outpaced = (hash: Uint8Array): NotWritten => {
  const message = 'Others write about the same thing at the same time. Try again in a moment.';
  return new NotWritten(hash, 'conflict', 'Conflict', message, { retryAfter: 1 });
};

/** @returns the error for a message that came too late: what is stored about the same thing is later, or removes it. */
export const superseded = (hash: Uint8Array, property: Member): NotWritten => {
  const message = 'The message was refused: a stored one about the same thing is later, or removes it.';
  return new NotWritten(hash, 'invalid', 'InvalidMessage', message, propertyOf('superseded', property));
};
