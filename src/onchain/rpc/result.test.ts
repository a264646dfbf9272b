import { expect, test } from 'vitest';
import { isResultOf } from './result.js';

const event = { address: '0x01', topics: ['0x02'], data: '0x' };
const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 1]));

test.each(['eth_getBlockByHash', 'eth_getBlockByNumber', 'eth_getTransactionByHash', 'eth_getTransactionReceipt'])(
  'the result of %s has no thousands of members, and nor have its events',
  (method) => {
    expect(isResultOf(method, { status: '0x1', logs: [event] })).toBe(true);
    expect(isResultOf(method, members(200))).toBe(true);
    expect(isResultOf(method, members(201))).toBe(false);
    expect(isResultOf(method, { logs: [event, { ...event, ...members(200) }] })).toBe(false);
  },
);
