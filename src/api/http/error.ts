import { KEY_CHALLENGE } from '../../access/key-header.js';
import { isOutcomeUnknown } from '../../db/commit-outcome.js';
import { isDatabaseUnavailable, isLockedTooLong, isTimedOut } from '../../db/failure.js';
import { AppError, type ErrorKind, type Problem } from '../../error.js';
import { type Dialect, toEcosystem } from '../../schema/wire-names.js';
import type { Family } from './family.js';
import { InvalidRequest } from './invalid-request.js';

const STATUS: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthorized: 401,
  payment_required: 402,
  forbidden: 403,
  not_found: 404,
  wrong_method: 405,
  too_slow: 408,
  conflict: 409,
  gone: 410,
  too_large: 413,
  wrong_media_type: 415,
  unprocessable: 422,
  too_many: 429,
  headers_too_large: 431,
  internal: 500,
  not_implemented: 501,
  bad_gateway: 502,
  unavailable: 503,
  gateway_timeout: 504,
};

/** Error codes of hubs (protocol document "hub errors", GAPS 4.18). */
const HUB_CODE: Readonly<Record<ErrorKind, string>> = {
  invalid: 'bad_request.invalid_param',
  unauthorized: 'unauthenticated',
  payment_required: 'unauthorized',
  forbidden: 'unauthorized',
  not_found: 'not_found',
  wrong_method: 'bad_request',
  too_slow: 'bad_request',
  conflict: 'bad_request.conflict',
  gone: 'not_found',
  too_large: 'bad_request',
  wrong_media_type: 'bad_request',
  unprocessable: 'bad_request',
  too_many: 'unavailable',
  headers_too_large: 'bad_request',
  internal: 'unknown',
  not_implemented: 'not_implemented',
  bad_gateway: 'unavailable',
  unavailable: 'unavailable',
  gateway_timeout: 'unavailable',
};

/** @returns the hub's word for an error */
export const hubCodeOf = ({ hubCode, kind }: AppError): string => hubCode ?? HUB_CODE[kind];

/** gRPC status numbers, which hubs return in `code`; the first entry that is a prefix of the error code applies. */
const GRPC_STATUS: readonly (readonly [string, number])[] = [
  ['bad_request', 3],
  ['not_found', 5],
  ['unauthorized', 7],
  ['not_implemented', 12],
  ['unavailable', 14],
  ['unauthenticated', 16],
];
const GRPC_UNKNOWN = 2;

const RETRY_AFTER_SECONDS = 2;

const malformed = (message: string, property = 'body'): AppError =>
  new AppError('invalid', 'InvalidField', message, { property, hubCode: 'bad_request.parse_failure' });

/** Fastify's own errors by code. */
const FRAMEWORK: Readonly<Record<string, () => AppError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () =>
    new AppError(
      'too_large',
      'TooLarge',
      'The body is larger than this operation takes: 1 MiB, or less where its description says so.',
    ),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new AppError(
      'wrong_media_type',
      'UnsupportedMediaType',
      'This operation does not take bodies of this content-type.',
    ),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => malformed('The body is empty, but its content-type promises JSON.'),
  FST_ERR_CTP_INVALID_JSON_BODY: () => malformed('The body is not valid JSON.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => malformed('The body is not as long as its content-length says.'),
  FST_ERR_BAD_URL: () => malformed('The path is not valid: a % must be followed by two hex digits.', 'path'),
  FST_ERR_ASYNC_CONSTRAINT: () => malformed('The request cannot be routed.', 'path'),
};

/**
 * Converts any error to an AppError. An unexpected error becomes 'internal' with a message that reveals no internals;
 * its cause is kept for the log.
 */
export const toAppError = (error: unknown): AppError => {
  if (error instanceof AppError) return error;
  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown };
  const known = typeof code === 'string' ? FRAMEWORK[code] : undefined;
  if (known !== undefined) return known();
  if (isOutcomeUnknown(error)) {
    const message =
      'The connection to the database broke before it confirmed the change, so whether the request took effect is ' +
      'unknown. Look whether it did before you send it again, unless it carried an idempotency key.';
    return new AppError('gateway_timeout', 'GatewayTimeout', message, { cause: error });
  }
  if (isTimedOut(error)) {
    const message = 'The answer took the database too long and was given up. Ask for less, or try again later.';
    return new AppError('unavailable', 'ServiceUnavailable', message, {
      retryAfter: RETRY_AFTER_SECONDS,
      isCharged: true,
      cause: error,
    });
  }
  if (isDatabaseUnavailable(error) || isLockedTooLong(error)) {
    const message = 'The database does not answer at the moment. Try again shortly.';
    return new AppError('unavailable', 'ServiceUnavailable', message, {
      retryAfter: RETRY_AFTER_SECONDS,
      cause: error,
    });
  }
  // The body parser marks client errors (aborted uploads, forbidden member names) with a 4xx.
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return malformed('The request could not be read.');
  }
  return new AppError('internal', 'InternalServerError', 'Something went wrong here.', { cause: error });
};

/**
 * Error kinds to use when an operation's contract lacks the exact status, as in v2 operations that list neither 403 nor
 * 404 (blocks, channel members). The portal lists no 409, so a pending plan change is a 400.
 */
const FALLBACK_KIND: Readonly<Record<Family, Partial<Record<ErrorKind, ErrorKind>>>> = {
  v2: { forbidden: 'invalid', not_found: 'invalid' },
  portal: { conflict: 'invalid' },
  hub: {},
};

/**
 * Replaces an error's kind by one whose status the operation lists, and keeps code and message.
 *
 * @param operation absent where no operation was found
 */
export const asListed = (
  error: AppError,
  operation: { readonly family: Family; readonly errors: readonly number[] } | undefined,
): AppError => {
  const kind = operation && FALLBACK_KIND[operation.family][error.kind];
  if (kind === undefined) return error;
  if (operation?.errors.includes(STATUS[error.kind]) || !operation?.errors.includes(STATUS[kind])) return error;
  const { code, message, property, retryAfter, isCharged } = error;
  return new AppError(kind, code, message, {
    ...(property === undefined ? {} : { property }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    isCharged,
    cause: error,
  });
};

export const statusOf = (error: AppError): number => STATUS[error.kind];

/** @returns headers that belong to the error: when to retry, how to authenticate */
export const errorHeaders = (error: AppError): Record<string, string> => {
  if (error.kind === 'unauthorized') return { 'www-authenticate': KEY_CHALLENGE };
  const seconds = error.retryAfter ?? (error.kind === 'unavailable' ? RETRY_AFTER_SECONDS : undefined);
  return seconds === undefined ? {} : { 'retry-after': String(Math.ceil(seconds)) };
};

const problemsOf = (
  { code, property, message, problems }: AppError,
  formatPath: (name: string) => string,
): readonly Problem[] =>
  problems?.map((problem) => ({ ...problem, path: problem.path.map(formatPath) })) ?? [
    {
      code,
      expected: 'a valid value',
      received: 'an invalid value',
      path: property === undefined ? [] : [formatPath(property)],
      message,
    },
  ];

/** Handlers use neutral member names; the response needs the names of the request's dialect. */
const nameIn = (dialect: Dialect | undefined) => (name: string) =>
  dialect === 'ecosystem' ? (toEcosystem.names.get(name) ?? name) : name;

const asSent = (name: string): string => name;

/**
 * Renders the body of an error in the format of its family.
 * @param options `requestId` is included from status 500 on; `validation` selects `ValidationErrorRes` for invalid
 *   requests; `dialect` is that of the member names
 */
export const errorBody = (
  error: AppError,
  family: Family,
  options: { readonly requestId: string; readonly validation?: boolean; readonly dialect?: Dialect | undefined },
): object => {
  const status = STATUS[error.kind];
  const { code } = error;
  const message = status < 500 ? error.message : `${error.message} (request ${options.requestId})`;
  if (family === 'hub') {
    const errCode = hubCodeOf(error);
    const grpc = GRPC_STATUS.find(([word]) => errCode.startsWith(word))?.[1] ?? GRPC_UNKNOWN;
    return {
      errCode,
      presentable: false,
      name: 'HubError',
      code: grpc,
      details: message,
      metadata: { errcode: [errCode] },
    };
  }
  if (family === 'portal') {
    const { paymentMethod } = error;
    return { code, message, ...(paymentMethod && { paymentMethod: { ...paymentMethod } }) };
  }
  const formatPath = error instanceof InvalidRequest ? asSent : nameIn(options.dialect);
  if (options.validation && error.kind === 'invalid') return { code, message, errors: problemsOf(error, formatPath) };
  return { code, message, ...(error.property === undefined ? {} : { property: formatPath(error.property) }), status };
};
