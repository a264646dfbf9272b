import { RpcRequestError } from 'viem';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../error.js';
import { EndpointError } from '../rpc/error.js';
import { logSearchFailureOf } from './log-search-error.js';

const answer = (code: number, message: string): RpcRequestError =>
  new RpcRequestError({ body: { method: 'eth_getLogs' }, error: { code, message }, url: 'CASTELLAN_RPC_BASE' });
/** As clients of the networks throw it when no endpoint was of use. */
const away = (fault: EndpointError): AppError => new AppError('internal', 'ChainUnavailable', 'away', { cause: fault });
const limited = (message: string): AppError =>
  away(new EndpointError('rate_limited', 'limited', { rpcError: answer(-32_005, message) }));

describe('rejections of a log search', () => {
  it.each([
    ['range', answer(-32_000, 'query exceeds max block range 500')],
    ['range', answer(-32_602, 'invalid params')],
    ['range', limited('query returned more than 10000 results')],
    ['away', limited('too many requests per second')],
    ['away', limited('daily request limit, try again in a minute')],
    ['method', answer(-32_601, 'no such method')],
    ['method', answer(-32_004, 'not supported')],
    ['method', away(new EndpointError('refused', 'answered with status 403'))],
    ['slow', away(new EndpointError('timeout', 'did not answer in time'))],
    ['range', away(new EndpointError('too_large', 'answered with more than is read'))],
    ['away', away(new EndpointError('unreachable', 'cannot be reached'))],
    ['away', away(new EndpointError('rate_limited', 'answered with status 429'))],
    ['away', new AppError('internal', 'ChainUnavailable', 'away')],
    ['away', new Error('something else')],
    ['away', 'no error at all'],
  ] as const)('%s: %s', (kind, error) => expect(logSearchFailureOf(error).kind).toBe(kind));

  it('keeps what was said short, on one line', () =>
    expect(logSearchFailureOf(answer(-32_000, `a\n${'b'.repeat(500)}`)).reason).toBe(`a ${'b'.repeat(198)}`));
});
