import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Address, encodeErrorResult, type Hex, parseAbi } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { multicall3Code } from '../src/onchain/local/multicall3-code.js';
import { MULTICALL3 } from '../src/onchain/network.js';
import { startChain, type TestChain } from './support/chain.js';
import { type NftNetwork, someone, startNftNetwork } from './support/nft.js';

interface RpcRequest {
  readonly id: number;
  readonly method: string;
}

let chain: TestChain;
let nft: NftNetwork;
let proxy: Server;
/** Answers in the chain's place: with a result or an error; undefined lets the chain answer. */
let intercept: (request: RpcRequest) => object | undefined = () => undefined;

beforeAll(async () => {
  chain = await startChain();
  proxy = createServer(async (message, response) => {
    const body = await text(message);
    const request: RpcRequest = JSON.parse(body);
    const own = intercept(request);
    const headers = { 'content-type': 'application/json' };
    const answer = own
      ? { jsonrpc: '2.0', id: request.id, ...own }
      : await (await fetch(chain.url, { method: 'POST', headers, body })).json();
    response.writeHead(200, headers).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  nft = await startNftNetwork({}, { chain, url: () => `http://127.0.0.1:${port}` });
  await chain.test.setCode({ address: MULTICALL3, bytecode: multicall3Code });
});
afterAll(async () => {
  await nft.stop();
  proxy.closeAllConnections();
  await new Promise((resolve) => proxy.close(resolve));
});
afterEach(() => {
  intercept = () => undefined;
});

/** Runs until its gas is gone. */
const ENDLESS_LOOP: Hex = '0x5b600056';
/** The same, but answers as who takes tokens does when somebody else than Multicall3 mints (the first argument). */
const LOOP_FOR_MULTICALL: Hex = `0x60043573${MULTICALL3.slice(2).toLowerCase() as string}14602c5763150b7a0260e01b60005260206000f35b602c56`;

/** Code that reverts with this. */
const reverting = (data: Hex): Hex => {
  const length = ((data.length - 2) / 2).toString(16).padStart(4, '0');
  return `0x61${length}600e60003961${length}6000fd${data.slice(2)}`;
};
const said = (words: string): Hex =>
  encodeErrorResult({ abi: parseAbi(['error Error(string)']), errorName: 'Error', args: [words] });

const hostile = async (index: number, bytecode: Hex): Promise<Address> => {
  const address = someone(900 + index);
  await chain.test.setCode({ address, bytecode });
  return address;
};

const without = (method: string) => (request: RpcRequest) =>
  request.method === method ? { error: { code: -32_601, message: 'the method does not exist' } } : undefined;

describe.each(['with eth_simulateV1', 'without it'])('a recipient that uses all gas, %s', (how) => {
  const start = (): void => {
    if (how === 'without it') intercept = without('eth_simulateV1');
  };

  test('does not affect or cost the others anything', async () => {
    const contract_address = await nft.collection();
    const looping = await hostile(1, ENDLESS_LOOP);
    const recipients = [1, 2, 3, 4].map((index) => ({ address: someone(index) }));
    recipients.splice(1, 0, { address: looping });
    start();
    const { status, body } = await nft.mint({ contract_address, recipients });
    expect(status).toBe(200);
    expect(body.transactions.map((one: { receipt?: { status: string } }) => one.receipt?.status)).toEqual([
      'success',
      undefined,
      'success',
      'success',
      'success',
    ]);
    expect(body.transactions[1].error).toEqual(expect.any(String));
    expect(body.transactions[1]).not.toHaveProperty('transaction_hash');
    const simulated = await nft.simulate({ contract: contract_address, recipients });
    const reasons = simulated.body.map(({ error }: { error?: string }) => error);
    expect(reasons.map((reason: string | undefined) => reason !== undefined)).toEqual(
      recipients.map((_, index) => index === 1),
    );
    if (how === 'with eth_simulateV1') expect(reasons[1]).toContain('more gas');
  });

  test('never gets a transaction above the gas limit of a mint', async () => {
    const contract_address = await nft.collection();
    const two = await hostile(2, LOOP_FOR_MULTICALL);
    const recipients = [1, 2, 3].map((index) => ({ address: someone(index), quantity: 2 }));
    recipients.splice(1, 0, { address: two, quantity: 2 });
    start();
    const { body } = await nft.mint({ contract_address, recipients });
    expect(body.transactions.map((one: { receipt?: { status: string } }) => one.receipt?.status)).toEqual(
      recipients.map(() => 'success'),
    );
    const rows = await nft.network.sql<{ gas: number }>(`select gas from chain_transaction where purpose = 'mint'`);
    expect(Math.max(...rows.map(({ gas }) => Number(gas)))).toBeLessThanOrEqual(360_000);
  });
});

test('the error message of a recipient is truncated, cleaned, or omitted', async () => {
  const contract = await nft.collection();
  const recipients = await Promise.all(
    [
      reverting(said('\u202eno\u0007\n\n  entry')),
      reverting(said('x'.repeat(500))),
      reverting(said('y'.repeat(2000))),
      reverting(`0xdeadbeef${'ab'.repeat(900)}`),
      reverting('0xdeadbeef'),
    ].map(async (code, index) => ({ address: await hostile(10 + index, code) })),
  );
  const { status, body } = await nft.simulate({ contract, recipients });
  expect(status).toBe(200);
  const told = body.map(({ error }: { error: string }) => error);
  const unknown = 'The contract refuses it with an error that is not known here';
  expect(told).toEqual([
    'The contract refuses it: no entry',
    `The contract refuses it: ${'x'.repeat(200)}`,
    `${unknown}.`,
    `${unknown}: 0xdeadbeef${'ab'.repeat(95)}….`,
    `${unknown}: 0xdeadbeef.`,
  ]);
});

test('the error message of a node is truncated and cleaned', async () => {
  const contract = await nft.collection();
  const error = { code: -32_000, message: `stack\u202e underflow\n${'z'.repeat(5000)}`, data: 'no hex' };
  const call = { status: '0x0', gasUsed: '0x5208', returnData: '0x', logs: [], error };
  intercept = ({ method }) => (method === 'eth_simulateV1' ? { result: [{ calls: [call] }] } : undefined);
  const { status, body } = await nft.simulate({ contract, recipients: [{ address: someone(1) }] });
  expect([status, body[0].error]).toEqual([200, expect.stringMatching(/^It would fail: stack underflow z{184}\.$/)]);
});

const DONE = { status: '0x1', gasUsed: '0x5208', returnData: '0x', logs: [] };
test.each<[string, unknown]>([
  ['too few results', [{ calls: [DONE] }]],
  ['too many results', [{ calls: [DONE, DONE, DONE] }]],
  ['no list', {}],
  ['results of another form', [{ calls: [DONE, { status: 1 }] }]],
])('a simulation response with %s is rejected', async (_, result) => {
  const contract_address = await nft.collection();
  const recipients = [1, 2].map((index) => ({ address: someone(index) }));
  intercept = ({ method }) => (method === 'eth_simulateV1' ? { result } : undefined);
  const body = { network: 'base', contract_address, recipients };
  const answers = await Promise.all([
    nft.simulate({ contract: contract_address, recipients }),
    nft.network.send('POST', '/v2/social/nft/mint/', body, nft.payer.headers),
  ]);
  expect(answers.map(({ status, body: { code } }) => [status, code])).toEqual([
    [500, 'ChainUnavailable'],
    [500, 'ChainUnavailable'],
  ]);
});

test('a repeated request for 200 mints returns all receipts', async () => {
  const contract_address = await nft.collection();
  const recipients = Array.from({ length: 200 }, (_, index) => ({ address: someone(index) }));
  const headers = { ...nft.payer.headers, 'idempotency-key': 'two hundred' };
  const body = { network: 'base', contract_address, recipients, async: true };
  expect((await nft.network.send('POST', '/v2/social/nft/mint/', body, headers)).status).toBe(200);
  const openCount = async () => (await nft.network.sql(`select 1 from chain_transaction where state = 'open'`)).length;
  await expect.poll(openCount, { timeout: 40_000 }).toBe(0);
  const again = await nft.network.send('POST', '/v2/social/nft/mint/', body, headers);
  expect(again.body.transactions.map((one: { receipt: { status: string } }) => one.receipt.status)).toEqual(
    recipients.map(() => 'success'),
  );
});
