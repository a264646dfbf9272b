import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Address, getContractAddress, hexToBytes } from 'viem';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { multicall3Code } from '../src/onchain/local/multicall3-code.js';
import { MULTICALL3 } from '../src/onchain/network.js';
import { startChain, type TestChain } from './support/chain.js';
import { DEPLOY, MINT, type NftNetwork, SHORT_WAITS, someone, startNftNetwork, UPLOAD } from './support/nft.js';

interface RpcRequest {
  readonly id: number;
  readonly method: string;
}

let chain: TestChain;
let nft: NftNetwork;
let proxy: Server;
/** Answers in the chain's place; false lets the chain answer. */
let intercept: (request: RpcRequest, response: ServerResponse) => boolean = () => false;
let asked: string[] = [];

const answer = (response: ServerResponse, body: object, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

/** @returns what refuses these methods as endpoints do that lack them. */
const without =
  (...methods: string[]): typeof intercept =>
  ({ id, method }, response) => {
    if (!methods.includes(method)) return false;
    answer(response, { jsonrpc: '2.0', id, error: { code: -32_601, message: 'the method does not exist' } });
    return true;
  };

const silent: typeof intercept = (_, response) => {
  answer(response, {}, 503);
  return true;
};

beforeAll(async () => {
  chain = await startChain();
  proxy = createServer(async (message, response) => {
    const body = await text(message);
    const request: RpcRequest = JSON.parse(body);
    asked.push(request.method);
    if (intercept(request, response)) return;
    const real = await fetch(chain.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    answer(response, (await real.json()) as object);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  nft = await startNftNetwork({}, { chain, url: () => `http://127.0.0.1:${port}`, timings: SHORT_WAITS });
});
afterAll(async () => {
  await nft.stop();
  proxy.closeAllConnections();
  await new Promise((resolve) => proxy.close(resolve));
});
afterEach(() => {
  intercept = () => false;
});

test('a simulation for 200 recipients needs few requests', async () => {
  const contract = await nft.collection();
  const recipients = Array.from({ length: 200 }, (_, index) => ({ address: someone(index) }));
  asked = [];
  const { status } = await nft.simulate({ recipients, contract });
  // Blocks, logs and receipts are asked for by jobs in the background, too; these are asked for the request alone.
  const state = asked.filter((method) => /^eth_(call|estimateGas|getBalance|getCode|simulateV1)$/.test(method));
  expect([status, state.filter((method) => method === 'eth_simulateV1').length]).toEqual([200, 1]);
  expect(state.length).toBeLessThanOrEqual(4);
});

test.each([true, false])(
  'an endpoint without eth_simulateV1 comes to the same (Multicall3: %s)',
  async (hasMulticall) => {
    await chain.test.setCode({ address: MULTICALL3, bytecode: hasMulticall ? multicall3Code : '0x' });
    const contract = await nft.collection({ max_supply: 4, mint_config: { price_per_token: '1000' } });
    const recipients = [1, 2, 1].map((index) => ({ address: someone(index) }));
    const many = [...recipients, { address: someone(3), quantity: 3 }, { address: contract }];
    const real = await nft.simulate({ recipients: recipients.slice(0, 2), contract });
    intercept = without('eth_simulateV1');
    const other = await nft.simulate({ recipients: recipients.slice(0, 2), contract });
    expect(other.body).toEqual(real.body);
    const refused = await nft.simulate({ recipients: many, contract });
    expect(refused.status).toBe(200);
    const reasons = refused.body.map(({ error }: { error?: string }) => error);
    // Alone, each fits into the supply.
    const shared = hasMulticall ? expect.stringContaining('only 1 left') : undefined;
    expect(reasons).toEqual([
      undefined,
      undefined,
      undefined,
      shared,
      expect.stringContaining('does not take ERC-721'),
    ]);
  },
);

test('an endpoint with a temporary rate limit is retried', async () => {
  const contract = await nft.collection();
  let refused = 0;
  intercept = ({ method }, response) => {
    if (method !== 'eth_simulateV1' || refused > 0) return false;
    refused += 1;
    answer(response, { error: 'too many' }, 429);
    return true;
  };
  const { status } = await nft.simulate({ recipients: [{ address: someone(1) }], contract });
  expect([status, refused]).toEqual([200, 1]);
});

test('a chain that does not respond is a 500 with a code within ten seconds, and no rows are written', async () => {
  const contract_address = await nft.collection();
  const counts = () =>
    nft.network.sql(
      'select (select count(*) from collection) as c, (select count(*) from mint) as m, (select count(*) from chain_transaction) as t',
    );
  const before = await counts();
  intercept = silent;
  const headers = { ...nft.payer.headers, 'idempotency-key': 'in the dark' };
  const recipients = [{ address: someone(1) }];
  const began = performance.now();
  const answers = await Promise.all([
    nft.deploy({ name: 'Dark' }, headers),
    nft.mint({ contract_address, recipients }, headers),
    nft.simulate({ contract: contract_address, recipients }),
  ]);
  expect(performance.now() - began).toBeLessThan(10_000);
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [500, 'ChainUnavailable']));
  expect(await counts()).toEqual(before);
  intercept = () => false;
  // The same request does, once the chain is back: nothing was decided.
  const later = await nft.mint({ contract_address, recipients }, headers);
  expect(later.body.transactions[0].receipt.status).toBe('success');
});

test('transactions are not lost if the chain stops responding after the broadcast', async () => {
  const contract_address = await nft.collection();
  const { address } = nft.payer.wallet;
  const before = await chain.public.getTransactionCount({ address });
  const headers = { ...nft.payer.headers, 'idempotency-key': 'silence' };
  const mint = { network: 'base', contract_address, recipients: [{ address: someone(1) }] };
  const collection = { network: 'base', name: 'Silent', symbol: 'S' };
  await chain.test.setAutomine(false);
  try {
    const asking = [
      nft.network.send('POST', DEPLOY, collection, headers),
      nft.network.send('POST', MINT, mint, headers),
    ] as const;
    await expect.poll(() => chain.public.getTransactionCount({ address, blockTag: 'pending' })).toBe(before + 2);
    intercept = silent;
    const [deployed, minted] = await Promise.all(asking);
    expect([deployed.status, deployed.body.message]).toEqual([504, expect.stringMatching(/0x[0-9a-f]{64}/)]);
    expect([minted.status, minted.body.transactions[0].receipt]).toEqual([200, null]);
    intercept = () => false;
    await chain.mine();
    const again = await Promise.all([nft.deploy({ name: 'Silent', symbol: 'S' }, headers), nft.mint(mint, headers)]);
    expect(again.map(({ status }) => status)).toEqual([200, 200]);
    expect(again[1].body.transactions[0].transaction_hash).toBe(minted.body.transactions[0].transaction_hash);
    expect(again[1].body.transactions[0].recipient.tokens).toEqual([{ token_id: '1' }]);
    expect(await nft.onChain(again[0].body.collection.address).name()).toBe('Silent');
    expect(await chain.public.getTransactionCount({ address })).toBe(before + 2);
  } finally {
    await chain.test.setAutomine(true);
  }
});

/** Deploys on a chain that has the block while the service cannot see its receipt, and does something meanwhile. */
const whileUnseen = async (name: string, work: (address: Address) => Promise<void>) => {
  const { address: from } = nft.payer.wallet;
  const nonce = await chain.public.getTransactionCount({ address: from });
  const address = getContractAddress({ from, nonce: BigInt(nonce) }).toLowerCase() as Address;
  intercept = ({ id, method }, response) => {
    if (method !== 'eth_getTransactionReceipt') return false;
    answer(response, { jsonrpc: '2.0', id, result: null });
    return true;
  };
  const deploying = nft.deploy({ name });
  await expect.poll(() => chain.public.getCode({ address }), { timeout: 20_000 }).toBeDefined();
  await work(address);
  intercept = () => false;
  return { address, answer: await deploying };
};

const rowsAt = (address: Address) =>
  nft.network.sql<{ id: string; name: string }>(
    `select id, config->>'name' as name from collection where network = 'base' and address = $1`,
    [hexToBytes(address)],
  );

const upload = (contract_address: Address, headers = nft.payer.headers) => {
  const tokens = [{ token_id: '1', metadata: { name: 'One', image: 'i' } }];
  return nft.network.send('POST', UPLOAD, { network: 'base', contract_address, tokens }, headers);
};

test('metadata for a collection that is not known to be mined yet belongs to that collection', async () => {
  const { address, answer: deployed } = await whileUnseen('Unseen', async (contract) => {
    const { status, body } = await upload(contract);
    expect(status).toBe(200);
    const [row] = await nft.network.sql<{ id: string }>(`select id from collection where config->>'name' = 'Unseen'`);
    expect(body.tokens[0].uri).toContain(`/${row?.id}/1`);
    expect(await rowsAt(contract)).toEqual([]);
  });
  expect([deployed.status, deployed.body.collection?.address]).toEqual([200, address]);
  expect((await rowsAt(address)).map(({ name }) => name)).toEqual(['Unseen']);
});

test('two rows for one collection are handled', async () => {
  const { address, answer: deployed } = await whileUnseen('Doubled', async (contract) => {
    await nft.network.sql(
      `insert into collection (id, network, address, organization_id, wallet_id, config, created_at)
       select gen_random_uuid(), 'base', $1, organization_id, id, '{"name":"Second"}', now() from wallet where id = $2`,
      [hexToBytes(contract), nft.payer.wallet.id],
    );
  });
  expect([deployed.status, deployed.body.collection?.address]).toEqual([200, address]);
  expect((await rowsAt(address)).map(({ name }) => name)).toEqual(['Second']);
  const other = await nft.collection();
  const recipients = [{ address: someone(1) }];
  const answers = await Promise.all([
    upload(address),
    upload(other),
    nft.simulate({ contract: address, recipients }),
    nft.simulate({ contract: other, recipients }),
    upload(someone(1), nft.otherAccount.headers),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 404]);
});
