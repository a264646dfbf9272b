import { expect, test } from 'vitest';
import { openClientDecoder } from './support/client-decoder.js';

const decode = openClientDecoder();

test('a response lacks nothing that the public client declares, and has values of its types', () => {
  const proof = { timestamp: 1, name: 'a', owner: '0x1', signature: '0x1', fid: 1, type: 'USERNAME_TYPE_FNAME' };
  const path = '/v1/userNameProofByName';
  expect(decode('GET', path, proof)).toEqual([]);
  expect(decode('GET', `${path}/`, { ...proof, later: true })).toEqual([]);
  expect(decode('GET', path, { ...proof, fid: '1' })).toEqual(['fid: Invalid input: expected number, received string']);
  expect(decode('GET', path, { ...proof, name: undefined })).toEqual([
    'name: Invalid input: expected string, received undefined',
  ]);
  expect(decode('GET', path, { ...proof, type: 'FNAME' })).toHaveLength(1);
});

test('one of the alternatives that the client merged into one type is there', () => {
  const mint = {
    ...{ args: [], calldata: '0x', data: '0x', estimated_total_cost_wei: '1', function_name: 'mint' },
    ...{ network: 'base', to: '0x1', value: '1' },
  };
  const path = '/v2/farcaster/nft/mint';
  expect(decode('GET', path, [{ ...mint, recipient: { fid: 1, quantity: 1 } }])).toEqual([]);
  expect(decode('GET', path, [{ ...mint, recipient: { quantity: 1 } }])).toEqual([
    '0.recipient: expected address or fid',
  ]);
});
