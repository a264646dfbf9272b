/** What went wrong, without any HTTP: `src/api/http/error.ts` alone knows which status answers which kind. */
export type ErrorKind =
  | 'invalid'
  | 'unauthorized'
  | 'payment_required'
  | 'forbidden'
  | 'not_found'
  | 'wrong_method'
  | 'too_slow'
  | 'conflict'
  | 'gone'
  | 'too_large'
  | 'wrong_media_type'
  | 'unprocessable'
  | 'too_many'
  | 'headers_too_large'
  | 'not_implemented'
  | 'bad_gateway'
  | 'unavailable'
  | 'gateway_timeout'
  | 'internal';

/** One fault of a request, in the words of the contract's `ValidationErrorRes.errors`. */
export interface Problem {
  readonly code: string;
  readonly expected: string;
  readonly received: string;
  /** Members and indexes from the outside in: `recipients`, `3`, `fid`. */
  readonly path: readonly string[];
  readonly message: string;
}

/** What of a card may be shown. */
export interface PaymentMethod {
  /** In the words of the payment provider: `visa`. */
  readonly brand: string;
  /** The last four digits of its number. */
  readonly last4: string;
}

export interface AppErrorOptions {
  /** The query, body, path or header member at fault. */
  property?: string;
  /** Seconds after which a retry makes sense. */
  retryAfter?: number;
  /** The work of the call was done, or most of it, so it costs what it would have cost (docs/billing.md). */
  isCharged?: boolean;
  /** A more exact word for the hub error family (`bad_request.unknown_signer`). */
  hubCode?: string;
  /** Every fault of a request that may have several; sent where the contract has a form for it. */
  problems?: readonly Problem[];
  /** The card or account that a payment was asked of, where there is one. */
  paymentMethod?: PaymentMethod;
  cause?: unknown;
}

/** An error whose message is written for the caller: it says what was wrong and what to do. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly kind: ErrorKind;
  /** Stable word for programs, in the spelling of the v2 family (`InvalidField`, `NotFound`). */
  readonly code: string;
  readonly property: string | undefined;
  readonly retryAfter: number | undefined;
  readonly isCharged: boolean;
  readonly hubCode: string | undefined;
  readonly problems: readonly Problem[] | undefined;
  readonly paymentMethod: PaymentMethod | undefined;

  constructor(kind: ErrorKind, code: string, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.code = code;
    this.property = options.property;
    this.retryAfter = options.retryAfter;
    this.isCharged = options.isCharged ?? false;
    this.hubCode = options.hubCode;
    this.problems = options.problems;
    this.paymentMethod = options.paymentMethod;
  }
}

/** @returns the error for a member of the request that does not fit; `property` names it. */
export const invalidField = (property: string, message: string): AppError =>
  new AppError('invalid', 'InvalidField', message, { property });

/**
 * @param problems at least one; the first is the one that clients see who read the message alone
 * @returns the error for a request with these faults.
 */
export const invalidFields = (problems: readonly [Problem, ...Problem[]]): AppError => {
  const [{ path, message }] = problems;
  const property = path[0] ?? 'body';
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  return new AppError('invalid', 'InvalidField', `${message}${more}`, { property, problems });
};

/** @returns the error for a thing that is not stored. */
export const notFound = (message: string, property?: string): AppError =>
  new AppError('not_found', 'NotFound', message, property === undefined ? {} : { property });
