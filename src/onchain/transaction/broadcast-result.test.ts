import { createPublicClient, custom, RpcRequestError } from 'viem';
import { expect, test } from 'vitest';
import { AppError } from '../../error.js';
import type { ChainClient } from '../network.js';
import { broadcast } from './broadcast-result.js';

/** What is thrown at the transport comes back through viem's own layers, as it does from a node. */
const clientThat = (error: Error): ChainClient =>
  createPublicClient({
    transport: custom(
      {
        request: () => {
          throw error;
        },
      },
      { retryCount: 0 },
    ),
  }) as unknown as ChainClient;

const said = (message: string, code = -32_000): ChainClient =>
  clientThat(new RpcRequestError({ body: {}, error: { code, message }, url: 'a node' }));

const result = async (client: ChainClient): Promise<string> => (await broadcast(client, Buffer.of(2))).kind;

// As the sources of the nodes have them.
test.each([
  ['already known', 'taken'],
  ['ALREADY_EXISTS: already known', 'taken'],
  ['AlreadyKnown', 'taken'],
  ['transaction already imported', 'taken'],
  ['nonce too low: next nonce 5, tx nonce 4', 'nonce_used'],
  ['OldNonce', 'nonce_used'],
  ['replacement transaction underpriced', 'outbid'],
  ['ReplacementNotAllowed', 'outbid'],
  ['could not replace existing tx', 'outbid'],
  ['insufficient funds for gas * price + value: balance 0, tx cost 1, overshot 1', 'refused'],
  ['Insufficient funds for gas * price + value', 'refused'],
  ['intrinsic gas too low: gas 20000, minimum needed 21000', 'refused'],
  ['exceeds block gas limit', 'refused'],
  ['max initcode size exceeded: code size 50000, limit 49152', 'refused'],
  ['invalid sender', 'refused'],
  ['transaction underpriced', 'unknown'],
  ['max fee per gas less than block base fee', 'unknown'],
  ['FeeTooLow, MaxFeePerGas too low', 'unknown'],
  ['txpool is full', 'unknown'],
  ['nonce too high', 'unknown'],
  ['internal error', 'unknown'],
])('the node error "%s" means: %s', async (message, kind) => {
  expect(await result(said(message))).toBe(kind);
});

test('the outcome is unknown after a JSON-RPC protocol error and after no response', async () => {
  expect(await result(said('what?', -32_600))).toBe('unknown');
  expect(await result(clientThat(new AppError('internal', 'ChainUnavailable', 'away')))).toBe('unknown');
  expect(await result(clientThat(new Error('socket hang up')))).toBe('unknown');
});

test('insufficient funds are recognized, with the message of the node', async () => {
  expect(await broadcast(said('insufficient funds'), Buffer.of(2))).toEqual({
    kind: 'refused',
    code: 'InsufficientFunds',
    message: 'insufficient funds',
  });
});
