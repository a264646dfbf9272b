import { randomUUID } from 'node:crypto';
import { type Address, getAddress, getContract, hexToBytes, parseEther, zeroAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEVELOPMENT_WALLET_ID } from '../src/config/wallet-id.js';
import { fixedSupplyTokenAbi as abi } from '../src/onchain/artifact/fixed-supply-token.js';
import { makeWallet } from '../src/onchain/transaction/wallet.js';
import { startChain } from './support/chain.js';
import { contractAvailable, validateAgainstContract } from './support/contract.js';
import { type NftNetwork, SHORT_WAITS, someone, startNftNetwork } from './support/nft.js';
import { type RpcProxy, startRpcProxy } from './support/rpc-proxy.js';

const SUPPLY = 10n ** 27n;
/** The smallest GIF. */
const GIF = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');

let nft: NftNetwork;
let proxy: RpcProxy;

beforeAll(async () => {
  const chain = await startChain({ chainId: 8453 });
  proxy = await startRpcProxy(chain.url);
  nft = await startNftNetwork(
    { CASTELLAN_RPC_BASE: proxy.url, CASTELLAN_TOKEN_DEPLOYMENTS: '2' },
    { chain, timings: SHORT_WAITS },
  );
});
afterAll(async () => {
  await nft.stop();
  await proxy.stop();
});

type Parts = readonly (readonly [string, string | Blob])[];

const HARBOR: Parts = [
  ['owner', someone(1)],
  ['name', 'Harbor Point'],
  ['symbol', 'HARBOR'],
];

/** Sends a form as the public client does. */
const deploy = async (parts: Parts, headers: Record<string, string> = nft.payer.headers) => {
  const form = new FormData();
  for (const [name, value] of parts) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, 'picture.gif');
  }
  const { url, apiKey } = nft.network;
  const response = await fetch(`${url}/v2/fungible/`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, ...headers },
    body: form,
  });
  const body = await response.json();
  if (contractAvailable) expect(validateAgainstContract('deploy-fungible', response.status, body)).toEqual([]);
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of whatever came
  return { status: response.status, body: body as any };
};

const deployed = async (parts: Parts, headers?: Record<string, string>) => {
  const { status, body } = await deploy(parts, headers);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.contract.fungible as { address: Address; media?: string };
};

const tokenAt = (address: Address) => getContract({ address, abi, client: nft.chain.public }).read;

/** The metadata that the contract itself tells. */
const metadataOf = async (address: Address): Promise<object> => {
  const uri = await tokenAt(address).contractURI();
  return (await fetch(uri)).json() as Promise<object>;
};

describe('a token', () => {
  test('is on the chain, and its owner has the whole supply', async () => {
    const { address, ...told } = await deployed(HARBOR);
    expect(told).toEqual({ object: 'fungible', name: 'Harbor Point', symbol: 'HARBOR', decimals: 18 });
    const token = tokenAt(address);
    expect(
      await Promise.all([token.name(), token.symbol(), token.decimals(), token.totalSupply(), token.tokenOwner()]),
    ).toEqual(['Harbor Point', 'HARBOR', 18, SUPPLY, getAddress(someone(1))]);
    expect(await token.balanceOf([someone(1)])).toBe(SUPPLY);
    expect(await metadataOf(address)).toEqual({ name: 'Harbor Point', symbol: 'HARBOR' });
  });

  test('takes permits of EIP-2612', async () => {
    const holder = nft.chain.account(5);
    const { address } = await deployed([['owner', holder.address], ...HARBOR.slice(1)]);
    const deadline = BigInt((await nft.chain.now()) + 3600);
    const signature = await holder.signTypedData({
      domain: { name: 'Harbor Point', version: '1', chainId: 8453, verifyingContract: address },
      types: {
        Permit: [
          { name: 'owner', type: 'address' },
          { name: 'spender', type: 'address' },
          { name: 'value', type: 'uint256' },
          { name: 'nonce', type: 'uint256' },
          { name: 'deadline', type: 'uint256' },
        ],
      },
      primaryType: 'Permit',
      message: { owner: holder.address, spender: someone(2), value: 7n, nonce: 0n, deadline },
    });
    const [r, s, v] = [signature.slice(0, 66), `0x${signature.slice(66, 130)}`, Number(`0x${signature.slice(130)}`)];
    const args = [holder.address, someone(2), 7n, deadline, v, r as Address, s as Address] as const;
    const account = nft.chain.account(0);
    await nft.chain.receipt(
      nft.chain.wallet.writeContract({
        address,
        abi,
        functionName: 'permit',
        args,
        account,
        chain: nft.chain.wallet.chain,
      }),
    );
    expect(await tokenAt(address).allowance([holder.address, someone(2)])).toBe(7n);
  });

  test('tells its metadata, and serves the picture that was sent', async () => {
    const { address, media } = await deployed([
      ...HARBOR,
      ['metadata[media]', new Blob([GIF], { type: 'image/gif' })],
      ['metadata[description]', 'Points of the harbor ⚓'],
      ['metadata[nsfw]', 'true'],
      ['metadata[website_link]', 'https://harbor.example'],
      ['metadata[twitter]', 'harbor'],
      ['metadata[discord]', 'https://discord.example/harbor'],
      ['metadata[telegram]', 'harbor_chat'],
      ['network', 'base'],
    ]);
    expect(await metadataOf(address)).toEqual({
      name: 'Harbor Point',
      symbol: 'HARBOR',
      description: 'Points of the harbor ⚓',
      image: media,
      external_link: 'https://harbor.example',
      twitter: 'harbor',
      discord: 'https://discord.example/harbor',
      telegram: 'harbor_chat',
      nsfw: true,
    });
    const served = await fetch(`${nft.network.url}${new URL(media as string).pathname}`);
    expect([served.headers.get('content-type'), Buffer.from(await served.arrayBuffer())]).toEqual(['image/gif', GIF]);
  });

  test.each(['https://harbor.example/point.png', 'ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi'])(
    'has a picture at %s',
    async (uri) => {
      const { address, media } = await deployed([...HARBOR, ['metadata[media]', uri]]);
      expect([media, await metadataOf(address)]).toEqual([uri, { name: 'Harbor Point', symbol: 'HARBOR', image: uri }]);
    },
  );

  test('of a client that sends null for no picture has none', async () => {
    expect(await deployed([...HARBOR, ['metadata[media]', 'null']])).not.toHaveProperty('media');
  });
});

describe('who pays', () => {
  test("without a wallet the operator's does, for as many tokens as an app may have", async () => {
    const { network, chain } = nft;
    const without = await deploy(HARBOR, {});
    expect([without.status, without.body.message]).toEqual([400, expect.stringContaining('TOKEN_DEPLOYER_WALLET')]);
    const { db } = network.app.core;
    const wallet = { id: DEVELOPMENT_WALLET_ID, organizationId: nft.otherAccount.organizationId, name: 'operator' };
    const { address } = await makeWallet(db, network.config.masterKey, { ...wallet, now: new Date() });
    const poor = await deploy(HARBOR, {});
    expect([poor.status, poor.body.code]).toEqual([500, 'InsufficientFunds']);
    await chain.test.setBalance({ address, value: parseEther('1') });
    const answers = await Promise.all([1, 2, 3, 4].map(() => deploy(HARBOR, {})));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 400, 400]);
    expect(answers.find(({ status }) => status === 400)?.body.code).toBe('DeploymentLimitReached');
    expect(await chain.public.getTransactionCount({ address })).toBe(2);
    // A wallet of its own has no such limit.
    await deployed(HARBOR);
  });

  test("another organization's wallet does not", async () => {
    const { status, body } = await deploy(HARBOR, { 'x-wallet-id': nft.otherAccount.wallet.id });
    expect([status, body.property]).toEqual([400, 'x-wallet-id']);
  });

  test('a wallet without coins does not', async () => {
    const { headers } = await nft.makePayer(0n);
    const { status, body } = await deploy(HARBOR, headers);
    expect([status, body.code, body.property]).toEqual([400, 'InsufficientFunds', 'x-wallet-id']);
  });
});

describe('what is refused', () => {
  test('a launchpad is refused without a name that the caller does not know', async () => {
    const { status, body } = await deploy([...HARBOR, ['factory', 'launchpad_b']]);
    expect([status, body.property]).toEqual([400, 'factory']);
    expect(body.message).not.toMatch(/launchpad_|wow|clanker/);
    expect(body.message).toContain('leave factory out');
  });

  test.each<[string, Parts, string]>([
    ['no owner', HARBOR.slice(1), 'owner'],
    ['an owner that is no address', [['owner', 'alice'], ...HARBOR.slice(1)], 'owner'],
    ['the zero address', [['owner', zeroAddress], ...HARBOR.slice(1)], 'owner'],
    ['a wrong checksum', [['owner', `0xA${someone(1).slice(3)}`], ...HARBOR.slice(1)], 'owner'],
    ['two owners', [...HARBOR, ['owner', someone(2)]], 'owner'],
    ['an empty name', [['name', ' '], ...HARBOR.filter(([name]) => name !== 'name')], 'name'],
    ['a long symbol', [['symbol', 'S'.repeat(33)], ...HARBOR.filter(([name]) => name !== 'symbol')], 'symbol'],
    ['another network', [...HARBOR, ['network', 'optimism']], 'network'],
    ['a launchpad that is not there', [...HARBOR, ['factory', 'launchpad_b']], 'factory'],
    ['an unknown launchpad', [...HARBOR, ['factory', 'other']], 'factory'],
    ['nsfw that is neither', [...HARBOR, ['metadata[nsfw]', 'yes']], 'metadata[nsfw]'],
    ['a picture over http', [...HARBOR, ['metadata[media]', 'http://harbor.example/a.png']], 'metadata[media]'],
    [
      'SVG called a GIF',
      [...HARBOR, ['metadata[media]', new Blob(['<svg/>'], { type: 'image/gif' })]],
      'metadata[media]',
    ],
    ['a file as the name', [...HARBOR.filter(([name]) => name !== 'name'), ['name', new Blob([GIF])]], 'name'],
    [
      'a description beyond the limit',
      [...HARBOR, ['metadata[description]', 'a'.repeat(2001)]],
      'metadata[description]',
    ],
    ['a text that cannot be stored', [...HARBOR, ['metadata[twitter]', 'a\0b']], 'metadata[twitter]'],
  ])('%s', async (_, parts, property) => {
    const { status, body } = await deploy(parts);
    expect([status, body.property], JSON.stringify(body)).toEqual([400, property]);
  });

  test('two files, too many texts, JSON, and a form that is none', async () => {
    const two: Parts = [...HARBOR, ['metadata[media]', new Blob([GIF])], ['other', new Blob([GIF])]];
    expect((await deploy(two)).status).toBe(400);
    const many: Parts = [...HARBOR, ...Array.from({ length: 30 }, (__, index) => [`a${index}`, 'x'] as const)];
    expect((await deploy(many)).status).toBe(400);
    const types = { 'application/json': 415, 'multipart/form-data': 400, 'multipart/form-data; boundary=abc': 400 };
    for (const [type, status] of Object.entries(types)) {
      const response = await fetch(`${nft.network.url}/v2/fungible/`, {
        method: 'POST',
        headers: { 'x-api-key': nft.network.apiKey, ...nft.payer.headers, 'content-type': type },
        body: '{"owner":"not a form"}',
      });
      expect(response.status, type).toBe(status);
    }
  });

  test('a form with a file that is cut off at any byte is a 400, and the service goes on', async () => {
    const form = new FormData();
    for (const [name, value] of HARBOR) form.append(name, value as string);
    form.append('metadata[media]', new Blob([GIF]), 'picture.gif');
    const whole = new Response(form);
    const headers = {
      'x-api-key': nft.network.apiKey,
      ...nft.payer.headers,
      'content-type': whole.headers.get('content-type') as string,
    };
    const bytes = Buffer.from(await whole.arrayBuffer());
    // The last four bytes, "--" and a line break, may be missing.
    const lengths = Array.from({ length: bytes.length - 4 }, (_, length) => length);
    for (let from = 0; from < lengths.length; from += 50) {
      await Promise.all(
        lengths.slice(from, from + 50).map(async (length) => {
          const body = bytes.subarray(0, length);
          const response = await fetch(`${nft.network.url}/v2/fungible/`, { method: 'POST', headers, body });
          expect(response.status, `${length} bytes: ${await response.text()}`).toBe(400);
        }),
      );
    }
  });

  test('more than 10 MiB', async () => {
    const { status } = await deploy([...HARBOR, ['metadata[media]', new Blob([Buffer.alloc(10 * 1024 * 1024)])]]);
    expect(status).toBe(413);
  });

  test('a form where JSON is taken', async () => {
    const response = await fetch(`${nft.network.url}/v2/social/cast/`, {
      method: 'POST',
      headers: { 'x-api-key': nft.network.apiKey },
      body: new FormData(),
    });
    expect(response.status).toBe(415);
  });
});

describe('a file', () => {
  test('of a token that is not sent is not stored', async () => {
    const files = () => nft.network.sql<{ n: number }>('select count(*)::integer as n from media');
    const before = await files();
    const parts: Parts = [...HARBOR, ['metadata[media]', new Blob([GIF])]];
    proxy.decide = ({ method }) => (method === 'eth_getBalance' ? { result: '0x0' } : 'pass');
    const { status, body } = await deploy(parts);
    proxy.decide = () => 'pass';
    expect([status, body.code]).toEqual([400, 'InsufficientFunds']);
    expect(await files()).toEqual(before);
  });
});

describe('a repeated request', () => {
  const keyed = (key: string = randomUUID()) => ({ ...nft.payer.headers, 'idempotency-key': key });

  test('gets the same token, and another picture is another request', async () => {
    const headers = keyed();
    const parts: Parts = [...HARBOR, ['metadata[media]', new Blob([GIF])]];
    const first = await deployed(parts, headers);
    const files = () => nft.network.sql<{ n: number }>('select count(*)::integer as n from media');
    const before = await files();
    expect(await deployed(parts, headers)).toEqual(first);
    expect(await files()).toEqual(before);
    const other: Parts = [...HARBOR, ['metadata[media]', new Blob([Buffer.concat([GIF, Buffer.from([0])])])]];
    expect((await deploy(other, headers)).status).toBe(409);
  });

  test('waits for a token that is not mined in time, whose hash the first answer tells', async () => {
    const headers = keyed();
    await nft.chain.test.setAutomine(false);
    const first = await deploy(HARBOR, headers);
    await nft.chain.test.setAutomine(true);
    await nft.chain.mine();
    expect([first.status, first.body.code]).toEqual([500, 'NotMinedYet']);
    const hash = /0x[0-9a-f]{64}/.exec(first.body.message)?.[0];
    const { address } = await deployed(HARBOR, headers);
    const receipt = await nft.chain.public.getTransactionReceipt({ hash: hash as Address });
    expect(receipt.contractAddress?.toLowerCase()).toBe(address);
    expect(hexToBytes(address)).toHaveLength(20);
  });

  test('at the same time deploys one token', async () => {
    const headers = keyed();
    const before = await nft.chain.public.getTransactionCount({ address: nft.payer.wallet.address });
    const answers = await Promise.all(Array.from({ length: 4 }, () => deployed(HARBOR, headers)));
    expect(new Set(answers.map(({ address }) => address)).size).toBe(1);
    expect(await nft.chain.public.getTransactionCount({ address: nft.payer.wallet.address })).toBe(before + 1);
  });
});
