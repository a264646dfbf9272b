import Type, { type TSchema } from 'typebox';
import { AppError } from '../../error.js';
import { ConflictErrorRes, ErrorRes, HubErrorRes, PortalErrorRes, ValidationErrorRes } from '../../schema/error.js';
import { PortalUpgradeErrorRes } from '../../schema/portal/billing.js';
import { invalidRequest } from './invalid-request.js';
import { HandlerResponse, type Operation } from './operation.js';
import { createCheck } from './validation.js';

/**
 * Error statuses of the layers around every operation (GAPS 7: "Statuses beyond the listed ones"); 503 and 504 come
 * from the database.
 */
const SHARED_STATUSES = new Set([400, 401, 402, 413, 415, 429, 500, 501, 503, 504]);

const EitherErrorRes = Type.Union([ValidationErrorRes, ErrorRes]);

/** @returns the schema of an error body of this operation, as in its OpenAPI description */
export const errorSchemaOf = (operation: Operation, status: number): TSchema => {
  if (operation.family === 'hub') return HubErrorRes;
  // Operations that charge money list 402, and name the payment method that was used.
  if (operation.family === 'portal') return operation.errors.includes(402) ? PortalUpgradeErrorRes : PortalErrorRes;
  if (status === 409) return ConflictErrorRes;
  if (status !== 400 || operation.invalidBody === undefined) return ErrorRes;
  return operation.invalidBody === 'either' ? EitherErrorRes : ValidationErrorRes;
};

const mismatch = (operation: Operation, status: number, message: string): AppError =>
  new AppError('internal', 'ResponseMismatch', `${operation.id} answered ${status} with another body: ${message}`);

/**
 * Creates a check of an operation's responses, for tests.
 * @returns a function that throws AppError 'internal' with code `ResponseMismatch` for a body that does not match the
 *   operation's schema of that status, and for a status that is not listed
 */
export const createResponseCheck = (operation: Operation): ((status: number, body: unknown) => void) => {
  const checks = new Map<number, ReturnType<typeof createCheck>>();
  const schemaOf = (status: number): TSchema | undefined => {
    if (status === 200) return operation.response;
    if (status < 400) return operation.outcomes?.[status];
    const listed = SHARED_STATUSES.has(status) || operation.family === 'hub' || operation.errors.includes(status);
    return operation.outcomes?.[status] ?? (listed ? errorSchemaOf(operation, status) : undefined);
  };
  return (status, body) => {
    const schema = schemaOf(status);
    if (schema === undefined) throw mismatch(operation, status, 'the status is not listed');
    const check = checks.get(status) ?? createCheck(schema);
    checks.set(status, check);
    // The check fills in defaults, so it gets a copy; the copy is also what JSON makes of the values.
    const errors = check(JSON.parse(JSON.stringify(body)));
    if (errors !== undefined) throw mismatch(operation, status, invalidRequest(errors, 'body').message);
  };
};

/** @returns status and parsed body of a handler's result */
export const readReply = (reply: unknown): { readonly status: number; readonly body: unknown } => {
  const { status, body } = reply instanceof HandlerResponse ? reply : { status: 200, body: reply };
  return { status, body: Buffer.isBuffer(body) ? JSON.parse(body.toString()) : body };
};
