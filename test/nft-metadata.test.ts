import type { Address } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyWith } from './support/app.js';
import { type NftNetwork, someone, startNftNetwork, UPLOAD } from './support/nft.js';
import { deploySeries } from './support/series.js';

let nft: NftNetwork;
beforeAll(async () => {
  nft = await startNftNetwork();
});
afterAll(() => nft.stop());

const upload = (body: object, headers = nft.payer.headers) =>
  nft.network.send('POST', UPLOAD, { network: 'base', ...body }, headers);

/** Follows the address that the contract names, as a marketplace does: without a key. */
const shown = async (contract: Address, id: bigint): Promise<unknown> => {
  const uri = await nft.onChain(contract).tokenURI([id]);
  const { port } = new URL(nft.network.url);
  const response = await fetch(Object.assign(new URL(uri), { port }));
  return response.json();
};

const RED = {
  name: 'Red',
  image: 'https://garden.example/red.png',
  description: 'A red one',
  attributes: [
    { trait_type: 'Weight', value: 120, display_type: 'number', max_value: 500 },
    { trait_type: 'Kind', value: 'Oxheart' },
  ],
  background_color: 'ffEE00',
};

test('a token URI shows the uploaded metadata, or that of the collection before the upload', async () => {
  const contract_address = await nft.collection({
    name: 'Shown',
    description: 'All of them',
    image: 'https://garden.example/all.png',
    external_link: 'https://garden.example',
  });
  await nft.mint({ contract_address, recipients: [{ address: someone(1), quantity: 2 }] });
  const plain = {
    description: 'All of them',
    image: 'https://garden.example/all.png',
    external_url: 'https://garden.example',
  };
  expect(await shown(contract_address, 1n)).toEqual({ name: 'Shown #1', ...plain });
  const { status, body } = await upload({ contract_address, tokens: [{ token_id: '1', metadata: RED }] });
  const uri = await nft.onChain(contract_address).tokenURI([1n]);
  expect([status, body]).toEqual([200, { tokens: [{ token_id: '1', uri }] }]);
  expect(uri.startsWith(`${nft.network.config.publicUrl}/v2/social/nft/metadata/`)).toBe(true);
  expect(await shown(contract_address, 1n)).toEqual(RED);
  expect(await shown(contract_address, 2n)).toEqual({ name: 'Shown #2', ...plain });
  await upload({ contract_address, tokens: [{ token_id: '1', metadata: { ...RED, name: 'Redder' } }] });
  expect(await shown(contract_address, 1n)).toEqual({ ...RED, name: 'Redder' });
});

test('invalid tokens are reported without affecting the others', async () => {
  const contract_address = await nft.collection();
  const ids = [
    '1',
    '01',
    '',
    '-1',
    '1.0',
    '0x1',
    (2n ** 256n).toString(),
    '1',
    (2n ** 256n - 1n).toString(),
    '9'.repeat(200),
  ];
  const { status, body } = await upload({
    contract_address,
    tokens: ids.map((token_id) => ({ token_id, metadata: { name: token_id, image: 'i' } })),
  });
  expect(status).toBe(200);
  expect(body.tokens.map(({ token_id }: { token_id: string }) => token_id)).toEqual(ids);
  expect(body.tokens.flatMap((one: { uri?: string }, index: number) => (one.uri ? [index] : []))).toEqual([0, 8]);
  expect(body.tokens[7].error).toContain('before');
});

describe('authorization', () => {
  const tokens = [{ token_id: '1', metadata: RED }];

  test('only the wallet that owns the contract may upload, whoever deployed it', async () => {
    const contract_address = await nft.collection();
    const { headers, wallet } = nft.otherAccount;
    const refused = await upload({ contract_address, tokens }, headers);
    expect([refused.status, refused.body.code]).toEqual([403, 'Forbidden']);
    expect(refused.body.message).toContain(nft.payer.wallet.address);
    const abi = [
      {
        type: 'function',
        name: 'transferOwnership',
        inputs: [{ type: 'address' }],
        outputs: [],
        stateMutability: 'nonpayable',
      },
      { type: 'function', name: 'acceptOwnership', inputs: [], outputs: [], stateMutability: 'nonpayable' },
    ] as const;
    const { chain } = nft;
    const at = { address: contract_address, abi };
    await chain.receipt(
      chain.wallet.writeContract({
        ...at,
        account: chain.account(1),
        functionName: 'transferOwnership',
        args: [wallet.address],
      }),
    );
    await chain.receipt(
      chain.wallet.writeContract({ ...at, account: chain.account(2), functionName: 'acceptOwnership' }),
    );
    expect((await upload({ contract_address, tokens }, headers)).status).toBe(200);
    expect((await upload({ contract_address, tokens })).status).toBe(403);
  });

  test('a contract of another service can store its metadata here', async () => {
    const series = await deploySeries(nft.chain, { owner: nft.payer.wallet.address });
    const contract_address = series.address.toLowerCase();
    const answers = await Promise.all([1, 2].map(() => upload({ contract_address, tokens })));
    const uris = answers.map(({ body }) => body.tokens[0].uri as string);
    expect(new Set(uris).size).toBe(1);
    const path = new URL(uris[0] as string).pathname;
    const { status, body } = await nft.network.get(path, { 'x-api-key': '' });
    expect([status, body]).toEqual([200, RED]);
    expect((await nft.network.get(path.replace(/1$/, '2'), { 'x-api-key': '' })).status).toBe(404);
  });

  test.each<[string, Record<string, string>, number]>([
    ['no wallet', {}, 400],
    ['an unknown wallet', { 'x-wallet-id': '00000000-0000-4000-8000-00000000abcd' }, 404],
  ])('%s', async (_, headers, status) => {
    expect((await upload({ contract_address: someone(1), tokens }, headers)).status).toBe(status);
  });

  test('the wallet of another organization, a key without the scope', async () => {
    const other = await upload({ contract_address: someone(1), tokens }, { 'x-wallet-id': nft.otherAccount.wallet.id });
    expect([other.status, other.body.property]).toEqual([403, 'x-wallet-id']);
    const headers = { ...nft.payer.headers, ...(await keyWith(nft.network, 'read')) };
    expect((await upload({ contract_address: someone(1), tokens }, headers)).status).toBe(403);
  });

  test('an address without code is a 404, a contract without an owner a 403', async () => {
    expect((await upload({ contract_address: someone(1), tokens })).status).toBe(404);
    await nft.chain.test.setCode({ address: someone(2), bytecode: '0x00' });
    const { status, body } = await upload({ contract_address: someone(2), tokens });
    expect([status, body.message]).toEqual([403, expect.stringContaining('does not say')]);
  });
});

test.each<[string, object, string[]]>([
  ['no tokens', { tokens: [] }, ['tokens']],
  ['201 tokens', { tokens: Array.from({ length: 201 }, () => ({ token_id: '1', metadata: RED })) }, ['tokens']],
  [
    'several faults',
    {
      tokens: [
        { token_id: '1', metadata: { name: 'x' } },
        { token_id: '2', metadata: RED },
        { token_id: 3, metadata: RED },
        { token_id: '4', metadata: { ...RED, background_color: '#fff' } },
        { token_id: '5', metadata: { ...RED, attributes: [{ trait_type: 'a', value: true }] } },
        { token_id: '6' },
      ],
    },
    [
      'tokens.0.metadata.image',
      'tokens.2.token_id',
      'tokens.3.metadata.background_color',
      'tokens.4.metadata.attributes.0.value',
      'tokens.5.metadata',
    ],
  ],
])('%s', async (_, body, paths) => {
  const { status, body: answer } = await upload({ contract_address: someone(1), ...body });
  expect([status, answer.code]).toEqual([400, 'InvalidField']);
  expect(answer.errors.map(({ path }: { path: string[] }) => path.join('.'))).toEqual(paths);
});

describe('the address of a token', () => {
  const at = (id: string, token: string) =>
    nft.network.get(`/v2/social/nft/metadata/${id}/${token}`, { 'x-api-key': '' });

  test('that cannot exist, or of an unknown collection', async () => {
    const { body } = await nft.deploy({ name: 'Few', max_supply: 3 });
    const [row] = await nft.network.sql<{ id: string }>(`select id from collection where config->>'name' = 'Few'`);
    const id = row?.id as string;
    expect(body.collection.name).toBe('Few');
    const statuses = await Promise.all(
      ['1', '3', '4', '0', '01', '-1', 'x', '9'.repeat(90)].map((token) => at(id, token)),
    );
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 404, 404, 404, 404, 404, 404]);
    expect((await at('00000000-0000-4000-8000-00000000abcd', '1')).status).toBe(404);
    expect((await at('nothing', '1')).status).toBe(400);
  });
});
