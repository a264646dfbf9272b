import { randomUUID } from 'node:crypto';
import { Metadata, type ServiceError, status } from '@grpc/grpc-js';
import type { AppError, ErrorKind } from '../../error.js';
import { EventsGone } from '../../event/hub-stream/subscription.js';
import type { Log } from '../../log.js';
import { hubCodeOf, toAppError } from '../http/error.js';

const STATUS: Readonly<Record<ErrorKind, status>> = {
  invalid: status.INVALID_ARGUMENT,
  unauthorized: status.UNAUTHENTICATED,
  payment_required: status.RESOURCE_EXHAUSTED,
  forbidden: status.PERMISSION_DENIED,
  not_found: status.NOT_FOUND,
  wrong_method: status.UNIMPLEMENTED,
  too_slow: status.DEADLINE_EXCEEDED,
  conflict: status.ALREADY_EXISTS,
  gone: status.OUT_OF_RANGE,
  too_large: status.INVALID_ARGUMENT,
  wrong_media_type: status.INVALID_ARGUMENT,
  unprocessable: status.INVALID_ARGUMENT,
  too_many: status.RESOURCE_EXHAUSTED,
  headers_too_large: status.RESOURCE_EXHAUSTED,
  internal: status.INTERNAL,
  not_implemented: status.UNIMPLEMENTED,
  bad_gateway: status.UNAVAILABLE,
  unavailable: status.UNAVAILABLE,
  gateway_timeout: status.UNKNOWN,
};

/**
 * Metadata with the hub's code for an error: the first of hubs before snapchain, the other of snapchain, which sends it for
 * refused messages. Clients look at both.
 * @source `submit_message` of snapchain's `src/network/server.rs`, `fromServiceError` of @farcaster/hub-nodejs
 */
const ERROR_CODES = ['errCode', 'x-err-code'] as const;
/** Where a reader may begin that asked for events which are not kept; our own, for programs. */
const FIRST_EVENT = 'x-first-event-id';
/** Milliseconds after which a client may retry (gRPC proposal A6). */
const RETRY_PUSHBACK = 'grpc-retry-pushback-ms';

/**
 * @returns the error that a client receives. The text of a refused message begins with the hub's code, as in hubs:
 *   `bad_request.unknown_signer/...`
 */
const serviceError = (error: AppError, requestId: string): ServiceError => {
  const metadata = new Metadata();
  metadata.set('x-request-id', requestId);
  for (const name of ERROR_CODES) metadata.set(name, hubCodeOf(error));
  if (error instanceof EventsGone) metadata.set(FIRST_EVENT, String(error.firstId));
  if (error.retryAfter !== undefined) metadata.set(RETRY_PUSHBACK, String(error.retryAfter * 1000));
  const details = error.hubCode === undefined ? error.message : `${error.hubCode}/${error.message}`;
  return Object.assign(new Error(details), { code: STATUS[error.kind], details, metadata });
};

/** @returns the error that a client receives for anything that was thrown; what is the service's own fault is logged */
export const explain = (thrown: unknown, log: Log): ServiceError => {
  const error = toAppError(thrown);
  const requestId = randomUUID();
  if (error.kind === 'internal') log.error({ err: error, requestId }, 'a call of the hub interface failed');
  return serviceError(error, requestId);
};
