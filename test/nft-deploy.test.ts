import { randomUUID } from 'node:crypto';
import { getContractAddress, zeroAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyWith } from './support/app.js';
import { DEPLOY, type NftNetwork, someone, startNftNetwork } from './support/nft.js';

let nft: NftNetwork;
/** Milliseconds by which the service's clock is ahead. */
let ahead = 0;
beforeAll(async () => {
  nft = await startNftNetwork({}, { clock: () => Date.now() + ahead });
});
afterAll(() => nft.stop());

const sentBy = (address: `0x${string}`): Promise<number> => nft.chain.public.getTransactionCount({ address });

test('a collection is deployed as requested and belongs to the wallet', async () => {
  const royalties = someone(1);
  const { status, body } = await nft.deploy({
    network: 'base-sepolia',
    name: 'Tomatoes "red" 🍅',
    symbol: 'TOM',
    description: 'Two\nlines',
    external_link: 'https://garden.example/?a=1#x',
    image: 'https://garden.example/tomato.png',
    max_supply: 1000,
    royalty_bps: 750,
    royalty_recipient: royalties,
    mint_config: {
      start_timestamp: 1_700_000_000,
      end_timestamp: 281_474_976_710_655,
      max_per_tx: 5,
      max_per_wallet: 10,
      price_per_token: '1000000000000000',
    },
  });
  expect(status).toBe(200);
  const { collection } = body;
  expect(body).toEqual({
    object: 'nft_collection',
    collection: {
      type: 'ERC721',
      network: 'base-sepolia',
      name: 'Tomatoes "red" 🍅',
      symbol: 'TOM',
      address: expect.stringMatching(/^0x[0-9a-f]{40}$/),
      transaction_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    },
  });
  const receipt = await nft.chain.public.getTransactionReceipt({ hash: collection.transaction_hash });
  expect([receipt.status, receipt.contractAddress]).toEqual(['success', collection.address]);
  expect(receipt.from).toBe(nft.payer.wallet.address.toLowerCase());
  const read = nft.onChain(collection.address);
  const owner = nft.payer.wallet.address;
  expect(
    await Promise.all([
      read.name(),
      read.symbol(),
      read.owner(),
      read.maxSupply(),
      read.totalSupply(),
      read.startTime(),
      read.endTime(),
      read.maxPerTx(),
      read.maxPerWallet(),
      read.pricePerToken(),
    ]),
  ).toEqual(['Tomatoes "red" 🍅', 'TOM', owner, 1000n, 0n, 1_700_000_000, 281_474_976_710_655, 5n, 10n, 10n ** 15n]);
  const [receiver, amount] = await read.royaltyInfo([1n, 10_000n]);
  expect([receiver.toLowerCase(), amount]).toEqual([royalties, 750n]);
  const uri = await read.contractURI();
  const metadata = JSON.parse(Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64').toString('utf8'));
  expect(metadata).toEqual({
    name: 'Tomatoes "red" 🍅',
    symbol: 'TOM',
    description: 'Two\nlines',
    external_link: 'https://garden.example/?a=1#x',
    image: 'https://garden.example/tomato.png',
  });
});

test('defaults are: free, open, without limits, and with royalties for the wallet', async () => {
  const address = await nft.collection();
  const read = nft.onChain(address);
  const { wallet } = nft.payer;
  const values = [read.maxSupply(), read.startTime(), read.endTime(), read.maxPerTx(), read.maxPerWallet()];
  expect(await Promise.all([...values, read.pricePerToken()])).toEqual([0n, 0, 0, 0n, 0n, 0n]);
  expect(await read.royaltyInfo([1n, 10_000n])).toEqual([wallet.address, 0n]);
});

test('the same key deploys once; another body with the same key is a 409', async () => {
  const headers = { ...nft.payer.headers, 'idempotency-key': 'first collection' };
  const before = await sentBy(nft.payer.wallet.address);
  const answers = await Promise.all([1, 2, 3].map(() => nft.deploy({ name: 'Once' }, headers)));
  const later = await nft.deploy({ name: 'Once' }, headers);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set([...answers, later].map(({ body }) => body.collection.address)).size).toBe(1);
  expect(await sentBy(nft.payer.wallet.address)).toBe(before + 1);
  const other = await nft.deploy({ name: 'Twice' }, headers);
  expect([other.status, other.body.property]).toEqual([409, 'Idempotency-Key']);
  const rows = await nft.network.sql<{ count: number }>(
    `select count(*)::int as count from collection where config->>'name' in ('Once', 'Twice')`,
  );
  expect(rows).toEqual([{ count: 1 }]);
});

test('concurrent deployments each get an address', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => nft.deploy({ name: `Many ${index}` })));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(new Set(answers.map(({ body }) => body.collection.address)).size).toBe(8);
});

test('a collection whose response was lost is found by its transaction', async () => {
  const address = await nft.collection({ name: 'Forgotten' });
  // As after a crash between the block and the note of it.
  await nft.network.sql(`update collection set address = null where config->>'name' = 'Forgotten'`);
  const { status } = await nft.simulate({ contract: address, recipients: [{ address: someone(1) }] });
  expect(status).toBe(200);
  const [row] = await nft.network.sql<{ address: Buffer }>(
    `select address from collection where config->>'name' = 'Forgotten'`,
  );
  expect(`0x${row?.address.toString('hex')}`).toBe(address);
});

test('the row contains organization, wallet and transaction', async () => {
  const { body } = await nft.deploy({ name: 'Recorded', max_supply: 7 });
  const [row] = await nft.network.sql<Record<string, unknown>>(
    `select c.network, c.organization_id, c.wallet_id, c.config->>'max_supply' as supply, encode(t.hash, 'hex') as hash,
            t.nonce
       from collection c join chain_transaction t on t.id = c.transaction_id where c.config->>'name' = 'Recorded'`,
  );
  const { wallet, organizationId } = nft.payer;
  expect(row).toMatchObject({ network: 'base', organization_id: organizationId, wallet_id: wallet.id, supply: '7' });
  expect(`0x${row?.hash}`).toBe(body.collection.transaction_hash);
  const made = getContractAddress({ from: wallet.address, nonce: BigInt(row?.nonce as number) });
  expect(made.toLowerCase()).toBe(body.collection.address);
});

describe('authorization', () => {
  test('another organization can only use its own wallets', async () => {
    const { wallet, headers } = nft.otherAccount;
    const own = await nft.deploy({}, headers);
    expect(await nft.onChain(own.body.collection.address).owner()).toBe(wallet.address);
    const theirs = await nft.deploy({}, { 'x-wallet-id': wallet.id });
    expect([theirs.status, theirs.body.property]).toEqual([403, 'x-wallet-id']);
  });

  test.each([
    ['no wallet', {}, 400],
    ['no UUID', { 'x-wallet-id': 'mine' }, 400],
    ['no such wallet', { 'x-wallet-id': '00000000-0000-4000-8000-00000000abcd' }, 404],
  ])('%s', async (_, headers, status) => {
    const answer = await nft.deploy({}, headers);
    expect([answer.status, answer.body.property]).toEqual([status, 'x-wallet-id']);
  });

  test('a key without the scope', async () => {
    const headers = { ...nft.payer.headers, ...(await keyWith(nft.network, 'read', 'write')) };
    expect((await nft.deploy({}, headers)).status).toBe(403);
  });

  test('a wallet without funds gets the missing amount', async () => {
    const { headers, wallet } = await nft.makePayer(1000n);
    const { status, body } = await nft.deploy({}, headers);
    expect([status, body.property, body.code]).toEqual([400, 'x-wallet-id', 'InsufficientFunds']);
    expect(body.message).toContain(wallet.address);
    expect(await sentBy(wallet.address)).toBe(0);
    expect(await nft.network.sql('select id from collection where wallet_id = $1::uuid', [wallet.id])).toEqual([]);
  });
});

const seconds = (ms: number): number => Math.floor(ms / 1000);

test('a repeated request after the end of the mint returns the first deployment', async () => {
  const headers = { ...nft.payer.headers, 'idempotency-key': 'short mint' };
  const body = { name: 'Short', mint_config: { end_timestamp: seconds(Date.now()) + 3600 } };
  const first = await nft.deploy(body, headers);
  expect(first.status).toBe(200);
  // Without the stored answer, as after a 504 or a crash.
  await nft.network.sql('update idempotent_write set answer = null');
  ahead = 7_200_000;
  try {
    expect(await nft.deploy(body, headers)).toMatchObject({ status: 200, body: first.body });
    const late = await nft.deploy(body);
    expect([late.status, late.body.property]).toEqual([400, 'mint_config.end_timestamp']);
  } finally {
    ahead = 0;
  }
});

test.each<[string, object, string]>([
  ['an unknown network', { network: 'ethereum' }, 'network'],
  ['no name', { name: '' }, 'name'],
  ['a name that is too long', { name: 'n'.repeat(256) }, 'name'],
  ['a symbol that is too long', { symbol: 's'.repeat(33) }, 'symbol'],
  ['a negative supply', { max_supply: -1 }, 'max_supply'],
  ['a supply of a fraction', { max_supply: 1.5 }, 'max_supply'],
  ['a supply beyond 48 bits', { max_supply: 281_474_976_710_656 }, 'max_supply'],
  ['royalties above a quarter', { royalty_bps: 2501 }, 'royalty_bps'],
  ['royalties below nothing', { royalty_bps: -1 }, 'royalty_bps'],
  ['royalties for no address', { royalty_recipient: '0x12' }, 'royalty_recipient'],
  ['a mistyped address', { royalty_recipient: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeE' }, 'royalty_recipient'],
  ['royalties for nobody', { royalty_bps: 1, royalty_recipient: zeroAddress }, 'royalty_recipient'],
  ['a price that is no number', { mint_config: { price_per_token: '1e18' } }, 'mint_config'],
  ['a negative price', { mint_config: { price_per_token: '-1' } }, 'mint_config'],
  ['a price of 58 digits', { mint_config: { price_per_token: '1'.repeat(58) } }, 'mint_config'],
  ['a limit beyond 48 bits', { mint_config: { max_per_tx: 281_474_976_710_656 } }, 'mint_config'],
  ['an end before the start', { mint_config: { start_timestamp: 20, end_timestamp: 19 } }, 'mint_config.end_timestamp'],
  ['an end at the start', { mint_config: { start_timestamp: 20, end_timestamp: 20 } }, 'mint_config.end_timestamp'],
  ['an end in the past', { mint_config: { end_timestamp: 1_700_000_000 } }, 'mint_config.end_timestamp'],
  [
    'a window in the past',
    { mint_config: { start_timestamp: 1_600_000_000, end_timestamp: 1_700_000_000 } },
    'mint_config.end_timestamp',
  ],
  ['an end at this moment', { mint_config: { end_timestamp: seconds(Date.now()) } }, 'mint_config.end_timestamp'],
])('%s is rejected, and nothing is sent', async (_, body, property) => {
  const before = await sentBy(nft.payer.wallet.address);
  const answer = await nft.deploy(body);
  expect([answer.status, answer.body.property]).toEqual([400, property]);
  expect(await sentBy(nft.payer.wallet.address)).toBe(before);
});

test('a contract holds 18,408 bytes of metadata, and a price of 57 digits', async () => {
  const rest = JSON.stringify({ name: 'Garden', symbol: 'GRDN', description: '' });
  const description = 'x'.repeat(18_408 - rest.length);
  const address = await nft.collection({ description, mint_config: { price_per_token: '9'.repeat(57) } });
  const uri = await nft.onChain(address).contractURI();
  expect(JSON.parse(Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64').toString()).description).toBe(description);
  expect(await nft.onChain(address).pricePerToken()).toBe(10n ** 57n - 1n);
});

test('metadata that does not fit into a contract is served at the address that the contract tells', async () => {
  const description = 'x'.repeat(18_500);
  const image = `data:image/png;base64,${'A'.repeat(300_000)}`;
  const address = await nft.collection({ description, image, external_link: 'https://garden.example' });
  const uri = await nft.onChain(address).contractURI();
  expect(uri).toMatch(/\/v2\/social\/nft\/metadata\/[0-9a-f-]{36}\/collection$/);
  const served = await fetch(`${nft.network.url}${new URL(uri).pathname}`);
  expect([served.status, await served.json()]).toEqual([
    200,
    { name: 'Garden', symbol: 'GRDN', description, image, external_link: 'https://garden.example' },
  ]);
  const nobody = await fetch(`${nft.network.url}/v2/social/nft/metadata/${randomUUID()}/collection`);
  expect(nobody.status).toBe(404);
});

test('a body that is not an object, or missing', async () => {
  for (const body of [[], 'text', null]) {
    expect((await nft.network.send('POST', DEPLOY, body, nft.payer.headers)).status).toBe(400);
  }
});
