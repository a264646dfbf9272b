/** An error answer of the payment provider. */
export class PaymentErrorResponse extends Error {
  constructor(
    readonly status: number,
    readonly error: Readonly<Record<string, unknown>>,
  ) {
    super(String(error.message));
  }
}

const TYPES: Readonly<Record<number, string>> = { 402: 'card_error', 409: 'idempotency_error', 500: 'api_error' };

/** @returns the refusal with this code; `more` are members that only some errors have. */
export const refuse = (
  status: number,
  code: string,
  message: string,
  param?: string,
  more: Readonly<Record<string, unknown>> = {},
): PaymentErrorResponse =>
  new PaymentErrorResponse(status, {
    type: TYPES[status] ?? 'invalid_request_error',
    code,
    message,
    ...(param === undefined ? {} : { param }),
    ...more,
  });
