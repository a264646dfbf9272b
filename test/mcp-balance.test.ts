import { type Address, toHex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callTool, connectMcp } from './support/mcp.js';
import { FIDS, seedBasics } from './support/seed.js';
import { deployToken, mintToken, startTokenEnvironment, type TokenEnvironment } from './support/token-environment.js';

/** The tool that reads balances, on a chain. */

let world: TokenEnvironment;
let alice: Address;
let token: Address;
beforeAll(async () => {
  world = await startTokenEnvironment(async ({ base }) => {
    token = await deployToken(base, 'Token', 'TKN', 6);
    return [{ chainId: 8453, address: token, name: 'Token', symbol: 'TKN', decimals: 6 }];
  });
  const seeded = await seedBasics((items) => world.network.load(items));
  alice = toHex(seeded.alice.wallet(1).address);
  await mintToken(world.chains.base, token, alice, 1_234_567n);
});
afterAll(() => world?.stop());

test('balances of a person and of an address, with the addresses of the tokens', async () => {
  const { url, apiKey } = world.network;
  const client = await connectMcp(url, { 'x-api-key': apiKey });
  const ofPerson = await callTool(client, 'read_balances', { fid: FIDS.alice, networks: ['base'] });
  expect(ofPerson.data).toContainEqual(
    expect.objectContaining({
      owner: alice,
      network: 'base',
      token: token.toLowerCase(),
      symbol: 'TKN',
      amount: '1.234567',
    }),
  );
  const ofAddress = await callTool(client, 'read_balances', { address: alice, networks: ['base'] });
  expect(ofAddress.data).toContainEqual(
    expect.objectContaining({
      network: 'base',
      token: token.toLowerCase(),
      symbol: 'TKN',
      decimals: 6,
      smallest_units: '1234567',
    }),
  );
  const neither = await callTool(client, 'read_balances', { networks: ['base'] });
  expect(neither).toMatchObject({ failed: true, text: expect.stringContaining('Send either fid or address') });
  await client.close();
});
