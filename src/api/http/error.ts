import { AppError, type ErrorKind, type Problem } from '../../error.js';
import { type Dialect, toEcosystem } from '../../schema/wire-names.js';
import { isOutcomeUnknown } from '../../store/commit-outcome.js';
import { isDatabaseAway, isTimedOut } from '../../store/failure.js';
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
  too_many: 429,
  headers_too_large: 431,
  internal: 500,
  not_implemented: 501,
  bad_gateway: 502,
  unavailable: 503,
  gateway_timeout: 504,
};

/** The hub's own words (protocol document "hub errors", GAPS 4.18). */
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
  too_many: 'unavailable',
  headers_too_large: 'bad_request',
  internal: 'unknown',
  not_implemented: 'not_implemented',
  bad_gateway: 'unavailable',
  unavailable: 'unavailable',
  gateway_timeout: 'unavailable',
};

/** gRPC status numbers, which hubs put into `code`; the first that the word begins with. */
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

/** What Fastify itself refuses before any of our code runs, by its stable codes. */
const FRAMEWORK: Readonly<Record<string, () => AppError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new AppError('too_large', 'TooLarge', 'The body is larger than 1 MiB.'),
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
 * Tells what an error means to the caller. Anything unexpected becomes 'internal', whose message says nothing of
 * the inside; the cause stays attached for the log.
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
  if (isDatabaseAway(error)) {
    const message = 'The database does not answer at the moment. Try again shortly.';
    return new AppError('unavailable', 'ServiceUnavailable', message, {
      retryAfter: RETRY_AFTER_SECONDS,
      cause: error,
    });
  }
  // The body parser marks what the client sent wrongly (aborted uploads, forbidden member names) with a 4xx.
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return malformed('The request could not be read.');
  }
  return new AppError('internal', 'InternalServerError', 'Something went wrong here.', { cause: error });
};

/**
 * The kind that stands in for one that an operation does not list. What a request names may be somebody else's, or not be
 * there, in operations of v2 whose contract lists neither 403 nor 404 (blocks, channel members). The portal does not list
 * 409: that a change is under way is told with 400.
 */
const STAND_IN: Readonly<Record<Family, Partial<Record<ErrorKind, ErrorKind>>>> = {
  v2: { forbidden: 'invalid', not_found: 'invalid' },
  portal: { conflict: 'invalid' },
  hub: {},
};

/**
 * Tells clients of an error with a status that they expect, in the same words.
 *
 * @param operation whose errors are meant; absent where no operation was found
 */
export const asListed = (
  error: AppError,
  operation: { readonly family: Family; readonly errors: readonly number[] } | undefined,
): AppError => {
  const kind = operation && STAND_IN[operation.family][error.kind];
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

/** @returns the status of an error's answer. */
export const statusOf = (error: AppError): number => STATUS[error.kind];

/** @returns headers that belong to the error: when to retry, how to sign in. */
export const errorHeaders = (error: AppError): Record<string, string> => {
  if (error.kind === 'unauthorized') return { 'www-authenticate': 'ApiKey header="x-api-key"' };
  const seconds = error.retryAfter ?? (error.kind === 'unavailable' ? RETRY_AFTER_SECONDS : undefined);
  return seconds === undefined ? {} : { 'retry-after': String(Math.ceil(seconds)) };
};

const problemsOf = (
  { code, property, message, problems }: AppError,
  spell: (name: string) => string,
): readonly Problem[] =>
  problems?.map((problem) => ({ ...problem, path: problem.path.map(spell) })) ?? [
    {
      code,
      expected: 'a valid value',
      received: 'an invalid value',
      path: property === undefined ? [] : [spell(property)],
      message,
    },
  ];

/** Handlers name a member as they know it; the caller knows it by the name that was sent. */
const spellingOf = (dialect: Dialect | undefined) => (name: string) =>
  dialect === 'ecosystem' ? (toEcosystem.names.get(name) ?? name) : name;

const asSent = (name: string): string => name;

/**
 * Writes the body of an error in the form of its family.
 * @param options `requestId` is told with every status from 500 on; `validation` asks for `ValidationErrorRes`
 *   where the error is the request's own; `dialect` spells the members that it is about.
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
    const errCode = error.hubCode ?? HUB_CODE[error.kind];
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
  const spell = error instanceof InvalidRequest ? asSent : spellingOf(options.dialect);
  if (options.validation && error.kind === 'invalid') return { code, message, errors: problemsOf(error, spell) };
  return { code, message, ...(error.property === undefined ? {} : { property: spell(error.property) }), status };
};
