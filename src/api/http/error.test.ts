import { expect, test } from 'vitest';
import { AppError, type ErrorKind, invalidField, notFound } from '../../error.js';
import { ErrorRes, HubErrorRes, PortalErrorRes, ValidationErrorRes } from '../../schema/error.js';
import { asListed, errorBody, errorHeaders, statusOf, toAppError } from './error.js';
import { createCheck } from './validation.js';

const KINDS: readonly (readonly [ErrorKind, number, string, number])[] = [
  ['invalid', 400, 'bad_request.invalid_param', 3],
  ['unauthorized', 401, 'unauthenticated', 16],
  ['payment_required', 402, 'unauthorized', 7],
  ['forbidden', 403, 'unauthorized', 7],
  ['not_found', 404, 'not_found', 5],
  ['wrong_method', 405, 'bad_request', 3],
  ['too_slow', 408, 'bad_request', 3],
  ['conflict', 409, 'bad_request.conflict', 3],
  ['gone', 410, 'not_found', 5],
  ['too_large', 413, 'bad_request', 3],
  ['wrong_media_type', 415, 'bad_request', 3],
  ['too_many', 429, 'unavailable', 14],
  ['headers_too_large', 431, 'bad_request', 3],
  ['internal', 500, 'unknown', 2],
  ['not_implemented', 501, 'not_implemented', 12],
  ['bad_gateway', 502, 'unavailable', 14],
  ['unavailable', 503, 'unavailable', 14],
  ['gateway_timeout', 504, 'unavailable', 14],
];

test.each(KINDS)('%s is %i in all three families', (kind, status, errCode, grpc) => {
  const error = new AppError(kind, 'SomeCode', 'Some message');
  const options = { requestId: 'r-1' };
  expect(statusOf(error)).toBe(status);
  const v2 = errorBody(error, 'v2', options);
  expect(v2).toMatchObject({ code: 'SomeCode', status });
  expect(createCheck(ErrorRes)(v2)).toBeUndefined();
  const portal = errorBody(error, 'portal', options);
  expect(Object.keys(portal)).toEqual(['code', 'message']);
  expect(createCheck(PortalErrorRes)(portal)).toBeUndefined();
  const hub = errorBody(error, 'hub', options);
  expect(hub).toMatchObject({ errCode, name: 'HubError', code: grpc, metadata: { errcode: [errCode] } });
  expect(createCheck(HubErrorRes)(hub)).toBeUndefined();
  for (const body of [v2, portal, hub]) expect(JSON.stringify(body).includes('r-1')).toBe(status >= 500);
});

test('an error of the hub keeps its own word', () => {
  const error = new AppError('invalid', 'InvalidField', 'no such signer', { hubCode: 'bad_request.unknown_signer' });
  expect(errorBody(error, 'hub', { requestId: 'r' })).toMatchObject({ errCode: 'bad_request.unknown_signer', code: 3 });
});

test('operations that ask for it answer a list of problems', () => {
  const body = errorBody(invalidField('address', 'not known'), 'v2', { requestId: 'r', validation: true });
  expect(createCheck(ValidationErrorRes)(body)).toBeUndefined();
  expect(body).toMatchObject({ code: 'InvalidField', errors: [{ path: ['address'], message: 'not known' }] });
});

test('what is unexpected says nothing of the inside', () => {
  for (const thrown of [new Error('password=hunter2'), 'a string', undefined, null, { message: 'hunter2' }]) {
    const error = toAppError(thrown);
    expect(error).toMatchObject({ kind: 'internal', cause: thrown });
    expect(JSON.stringify(errorBody(error, 'v2', { requestId: 'r' }))).not.toContain('hunter2');
  }
});

test.each(['ECONNREFUSED', 'ECONNRESET', '08006', '57P01', '57P03', '53300'])(
  'a database that fails with %s is away for a while',
  (code) => {
    const error = toAppError(Object.assign(new Error('connect 10.0.0.7:5432'), { code }));
    expect(statusOf(error)).toBe(503);
    expect(errorHeaders(error)['retry-after']).toMatch(/^\d+$/);
    expect(JSON.stringify(errorBody(error, 'v2', { requestId: 'r' }))).not.toContain('10.0.0.7');
  },
);

test('an error whose status the operation does not list becomes a 400 with the same message', () => {
  const forbidden = new AppError('forbidden', 'Forbidden', 'another app', { property: 'signer_uuid' });
  const missing = notFound('no such signer', 'signer_uuid');
  const bare = { family: 'v2', errors: [400, 500] } as const;
  expect(asListed(forbidden, bare)).toMatchObject({ kind: 'invalid', message: 'another app', property: 'signer_uuid' });
  expect(asListed(missing, bare)).toMatchObject({ kind: 'invalid', code: 'NotFound', property: 'signer_uuid' });
  expect(asListed(forbidden, { family: 'v2', errors: [400, 403] })).toBe(forbidden);
  expect(asListed(missing, { family: 'v2', errors: [400, 404] })).toBe(missing);
  expect(asListed(missing, { family: 'v2', errors: [500] })).toBe(missing);
  expect(asListed(missing, { family: 'hub', errors: [400] })).toBe(missing);
  expect(asListed(missing, undefined)).toBe(missing);
  const other = new AppError('conflict', 'Conflict', 'twice');
  expect(asListed(other, bare)).toBe(other);
  const portal = { family: 'portal', errors: [400, 404, 500] } as const;
  const inFlight = new AppError('conflict', 'ChangeUnderway', 'wait', { retryAfter: 60 });
  expect(asListed(inFlight, portal)).toMatchObject({ kind: 'invalid', code: 'ChangeUnderway', retryAfter: 60 });
  expect(asListed(missing, { family: 'portal', errors: [400] })).toBe(missing);
});

test('only portal errors contain the payment method', () => {
  const paymentMethod = { brand: 'visa', last4: '0002' };
  const declined = new AppError('payment_required', 'PaymentRequired', 'no money', { paymentMethod });
  const body = { code: 'PaymentRequired', message: 'no money' };
  expect(errorBody(declined, 'portal', { requestId: 'r' })).toEqual({ ...body, paymentMethod });
  expect(errorBody(declined, 'v2', { requestId: 'r' })).toEqual({ ...body, status: 402 });
});
