import { randomUUID } from 'node:crypto';
import { type Address, zeroAddress } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startChain } from './support/chain.js';
import type { TestResponse } from './support/network.js';
import { type NftNetwork, someone, startNftNetwork } from './support/nft.js';
import { FIDS, seedBasics } from './support/seed.js';
import { NATIVE } from './support/token-environment.js';

const recipients = [{ fid: FIDS.bob, amount: 1 }];

let nft: NftNetwork;
let payer: Address;

beforeAll(async () => {
  const chain = await startChain({ chainId: 10 });
  nft = await startNftNetwork({ CASTELLAN_RPC_OPTIMISM: chain.url }, { chain });
  await seedBasics((items) => nft.network.load(items));
  payer = nft.payer.wallet.address;
});
afterAll(() => nft.stop());

const send = (body: object, headers: Record<string, string> = nft.payer.headers): Promise<TestResponse> =>
  nft.network.send('POST', '/v2/social/fungible/send/', { network: 'optimism', ...body }, headers);

const sentBy = (address: Address): Promise<number> => nft.chain.public.getTransactionCount({ address });

test.each([
  ['token_address', { token_address: 'usd', recipients }, 'fungible_contract_address'],
  ['recipients[0].address', { recipients: [{ ...recipients[0], address: '0x1' }] }, 'fid'],
  ['amount', { amount: '1', recipients }, 'fungible_contract_address'],
])('an unknown member %s is refused, because the coin would be sent instead', async (property, body, hint) => {
  const before = await sentBy(payer);
  const { status, body: answer } = await send(body);
  expect([status, answer.property, answer.message]).toEqual([400, property, expect.stringContaining(hint)]);
  expect(await sentBy(payer)).toBe(before);
});

test.each([
  ['an amount in text', { recipients: [{ fid: 1, amount: '1.5' }] }],
  ['nothing', { recipients: [{ fid: 1, amount: 0 }] }],
  ['too little', { recipients: [{ fid: 1, amount: 1e-9 }] }],
  ['a negative amount', { recipients: [{ fid: 1, amount: -1 }] }],
  ['nobody', { recipients: [] }],
  ['201 recipients', { recipients: Array.from({ length: 201 }, () => recipients[0]) }],
  ['a network without payments', { network: 'arbitrum', recipients }],
  ['half an address', { fungible_contract_address: '0x12', recipients }],
  ['no address', { fungible_contract_address: null, recipients }],
  ['no wallet', { recipients }, {}],
  ['an unknown wallet', { recipients }, { 'x-wallet-id': randomUUID() }],
])('%s is refused', async (_, body, headers = nft.payer.headers) => {
  const { status, body: answer } = await send(body, headers as Record<string, string>);
  expect([status, typeof answer.message]).toEqual([400, 'string']);
});

test("another organization's wallet is refused", async () => {
  const headers = { 'x-wallet-id': nft.otherAccount.wallet.id };
  expect((await send({ recipients }, headers)).status).toBe(400);
});

test('an address without a token is refused', async () => {
  for (const address of [someone(80), NATIVE, zeroAddress]) {
    const { status, body } = await send({ fungible_contract_address: address, recipients });
    expect([status, body.property]).toEqual([400, 'fungible_contract_address']);
  }
});
