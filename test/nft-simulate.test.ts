import { Protocol, UserDataType } from '@farcaster/core';
import {
  type Address,
  bytesToHex,
  decodeFunctionData,
  encodeFunctionData,
  getAddress,
  hexToBytes,
  parseAbi,
  parseEther,
} from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dropAbi, dropBytecode } from './support/artifact/drop.js';
import { MINT, type NftNetwork, someone, startNftNetwork } from './support/nft.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';
import { deploySeries } from './support/series.js';

let nft: NftNetwork;
let seeded: Seeded;
let collection: Address;
const PRICE = 5_000_000_000_000_000n;
beforeAll(async () => {
  nft = await startNftNetwork();
  seeded = await seedBasics((items) => nft.network.load(items));
  collection = await nft.collection({
    max_supply: 50,
    mint_config: { max_per_tx: 5, max_per_wallet: 6, price_per_token: PRICE.toString() },
  });
});
afterAll(() => nft.stop());

const simulate = (recipients: unknown, contract: string = collection, network = 'base') =>
  nft.simulate({ recipients, contract, network });

test('the result agrees with a client of the chain, and nothing is sent', async () => {
  const { wallet } = nft.payer;
  const before = await nft.chain.public.getTransactionCount({ address: wallet.address });
  const { status, body } = await simulate([{ address: someone(1), quantity: 3 }]);
  expect(status).toBe(200);
  const [mint] = body;
  expect(mint).toMatchObject({
    recipient: { address: someone(1), quantity: 3 },
    function_name: 'mint',
    args: [someone(1), '3'],
    to: collection,
    value: (3n * PRICE).toString(),
    network: 'base',
  });
  expect(mint.data).toBe(mint.calldata);
  expect(encodeFunctionData({ abi: mint.abi, functionName: mint.function_name, args: mint.args })).toBe(mint.data);
  const decoded = decodeFunctionData({ abi: parseAbi(['function mint(address, uint256) payable']), data: mint.data });
  expect(decoded.args.map((arg) => String(arg).toLowerCase())).toEqual([someone(1), '3']);
  const call = { account: wallet.address, to: collection, data: mint.data, value: 3n * PRICE };
  const gas = await nft.chain.public.estimateGas(call);
  const cost = 3n * PRICE + gas * (await nft.chain.public.getGasPrice());
  expect(mint.estimated_total_cost_wei).toBe(cost.toString());
  expect(await nft.chain.public.getTransactionCount({ address: wallet.address })).toBe(before);
  expect(await nft.onChain(collection).totalSupply()).toBe(0n);
});

test('an account gets tokens at its primary verified address, else at the oldest one, else at its custody address', async () => {
  const { alice, bob, carol } = seeded;
  const oldest = bytesToHex(alice.wallet(1).address);
  const newer = bytesToHex(alice.wallet(2).address);
  const addresses = async (): Promise<string[]> => {
    const { body } = await simulate([{ fid: FIDS.alice }, { fid: FIDS.bob, quantity: 2 }, { fid: FIDS.carol }]);
    expect(body.map((one: { recipient: object }) => one.recipient)).toEqual([
      { fid: FIDS.alice, quantity: 1 },
      { fid: FIDS.bob, quantity: 2 },
      { fid: FIDS.carol, quantity: 1 },
    ]);
    return body.map((one: { args: string[] }) => one.args[0]);
  };
  const [custody, ...others] = [alice, bob, carol].map((one) => bytesToHex(one.custody.address));
  expect(await addresses()).toEqual([oldest, ...others]);
  await seeded.send(await alice.verifyEthereum(alice.wallet(2)));
  expect(await addresses()).toEqual([oldest, ...others]);
  await seeded.send(alice.userData(UserDataType.USER_DATA_PRIMARY_ADDRESS_ETHEREUM, getAddress(newer)));
  expect(await addresses()).toEqual([newer, ...others]);
  // A primary address that is verified no more is somebody else's, for all that is known.
  await seeded.send(alice.removeVerification(Protocol.ETHEREUM, hexToBytes(newer)));
  expect(await addresses()).toEqual([oldest, ...others]);
  await seeded.send(alice.removeVerification(Protocol.ETHEREUM, hexToBytes(oldest)));
  expect(await addresses()).toEqual([custody, ...others]);
});

test('a contract wallet gets tokens on the chain that it was verified for, and on no other', async () => {
  const { carol } = seeded;
  const own = bytesToHex(carol.wallet(3).address);
  const custody = bytesToHex(carol.custody.address);
  const address = async (network: string): Promise<string> => {
    const { body } = await simulate([{ fid: FIDS.carol }], collection, network);
    return body[0].args[0];
  };
  const everywhere = () => Promise.all(['optimism', 'base', 'base-sepolia'].map(address));
  await seeded.send(carol.verifyContract(hexToBytes(someone(71)), 1));
  await seeded.send(carol.verifyContract(hexToBytes(someone(72)), 10));
  expect(await everywhere()).toEqual([someone(72), custody, custody]);
  await seeded.send(await carol.verifyEthereum(carol.wallet(3)));
  expect(await everywhere()).toEqual([someone(72), own, own]);
  // Nobody has to be at the primary address on another chain.
  await seeded.send(carol.userData(UserDataType.USER_DATA_PRIMARY_ADDRESS_ETHEREUM, getAddress(someone(71))));
  expect(await everywhere()).toEqual([someone(72), own, own]);
});

describe('a mint that would fail now is quoted with the reason, and its value alone', () => {
  interface Item {
    readonly error?: string;
    readonly value: string;
    readonly estimated_total_cost_wei: string;
  }
  /** The reasons of those that would fail, by their place in the request. */
  const errors = (items: readonly Item[]): Record<number, string> => {
    for (const { error, value, estimated_total_cost_wei: cost } of items) {
      if (error === undefined) expect(BigInt(cost)).toBeGreaterThan(BigInt(value));
      else expect(cost).toBe(value);
    }
    return Object.fromEntries(items.flatMap(({ error }, index) => (error === undefined ? [] : [[index, error]])));
  };
  const quoted = async (...args: Parameters<typeof simulate>): Promise<Record<number, string>> => {
    const { status, body } = await simulate(...args);
    expect(status, JSON.stringify(body)).toBe(200);
    return errors(body);
  };

  test('limits and supply, of all that fail', async () => {
    const few = await nft.collection({ max_supply: 8, mint_config: { max_per_tx: 5, max_per_wallet: 6 } });
    expect(
      await quoted(
        [
          { address: someone(1), quantity: 5 },
          { address: someone(2), quantity: 6 },
          { address: someone(1), quantity: 2 },
          { address: someone(3), quantity: 4 },
          { address: someone(1), quantity: 1 },
          { address: someone(4), quantity: 2 },
          { address: someone(5), quantity: 1 },
        ],
        few,
      ),
    ).toEqual({
      1: expect.stringContaining('a transaction mints at most 5'),
      // Nobody minted yet: the five are those of the first recipient.
      2: expect.stringMatching(/at most 6.*5 already/),
      3: expect.stringContaining('4 tokens asked for, but only 3 left'),
      6: expect.stringContaining('sold out'),
    });
  });

  test('200 recipients that exceed the supply together', async () => {
    const scarce = await nft.collection({ max_supply: 198 });
    const recipients = Array.from({ length: 200 }, (_, index) => ({ address: someone(index) }));
    expect(Object.keys(await quoted(recipients, scarce))).toEqual(['198', '199']);
    expect(await quoted(recipients.slice(0, 198), scarce)).toEqual({});
  });

  test('more tokens than fit into a transaction, and the largest number that does', async () => {
    const endless = await nft.collection();
    expect(await quoted([{ address: someone(1), quantity: Number.MAX_SAFE_INTEGER }], endless)).toEqual({
      0: expect.stringContaining('fewer tokens'),
    });
    const many = Array.from({ length: 200 }, (_, index) => ({ address: someone(index), quantity: 100 }));
    expect(await quoted(many, endless)).toEqual({});
  });

  test('before and after its time', async () => {
    const now = Math.floor(Date.now() / 1000);
    const price = parseEther('0.25').toString();
    const early = await nft.collection({ mint_config: { start_timestamp: now + 86_400, price_per_token: price } });
    const { address: late } = await deploySeries(nft.chain, { endTime: now - 86_400 });
    const { body } = await simulate([{ address: someone(1), quantity: 2 }], early);
    expect(errors(body)).toEqual({
      0: expect.stringContaining(`begins at ${new Date((now + 86_400) * 1000).toISOString().slice(0, 19)}Z`),
    });
    // What will be sent once it has begun.
    expect(body[0]).toMatchObject({ value: parseEther('0.5').toString(), function_name: 'mint' });
    expect(body[0].calldata).toMatch(/^0x[0-9a-f]+$/);
    expect(await quoted([{ address: someone(1) }], late)).toEqual({ 0: expect.stringContaining('ended at') });
  });

  test('a contract that takes no tokens, and the zero address', async () => {
    expect(await quoted([{ address: collection }, { address: `0x${'0'.repeat(40)}` }])).toEqual({
      0: expect.stringContaining('does not take ERC-721 tokens'),
      1: expect.stringContaining('zero address'),
    });
  });

  test('a deployer with insufficient funds', async () => {
    const { headers, wallet } = await nft.makePayer(parseEther('1'));
    const { body } = await nft.deploy({ mint_config: { price_per_token: parseEther('0.3').toString() } }, headers);
    const contract = body.collection.address;
    await nft.chain.test.setBalance({ address: wallet.address, value: parseEther('0.7') });
    const three = [1, 2, 3].map((index) => ({ address: someone(index) }));
    expect(await quoted(three, contract)).toEqual({
      2: expect.stringContaining(`lacks ${parseEther('0.2')} wei`),
    });
    expect(await quoted(three.slice(1), contract)).toEqual({});
  });
});

test('accounts without an address are all named', async () => {
  const { status, body } = await simulate([{ fid: 4_000_001 }, { fid: FIDS.bob }, { fid: 4_000_002 }]);
  expect([status, body.errors.map(({ path }: { path: string[] }) => path.join('.'))]).toEqual([
    400,
    ['recipients.0.fid', 'recipients.2.fid'],
  ]);
});

describe('contracts of other services', () => {
  test('are simulated with unlimited funds', async () => {
    const price = parseEther('1000000');
    const series = await deploySeries(nft.chain, { pricePerToken: price, maxSupply: 3n });
    const good = await simulate([{ address: someone(1), quantity: 2 }], series.address);
    expect([good.status, good.body[0]?.value]).toEqual([200, (2n * price).toString()]);
    const refused = await simulate([{ address: someone(1), quantity: 4 }], series.address);
    expect([refused.status, refused.body[0].error]).toEqual([200, expect.stringContaining('only 3 left')]);
  });

  test('a collection is identified by its network, too', async () => {
    const { status } = await nft.simulate({
      recipients: [{ address: someone(1) }],
      contract: collection,
      network: 'optimism',
    });
    expect(status).toBe(200);
  });

  test('with a usual mint function, and the function that tells their price', async () => {
    const { address } = await nft.chain.deploy({ abi: dropAbi, bytecode: dropBytecode, args: [5n] });
    const { status, body } = await simulate(
      [
        { address: someone(1), quantity: 2 },
        { address: someone(2), quantity: 4 },
      ],
      address,
    );
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.map(({ error }: { error?: string }) => error)).toEqual([
      undefined,
      expect.stringContaining('too many'),
    ]);
    const args = [someone(1), 2n] as const;
    expect(body[0]).toMatchObject({
      function_name: 'mintTo',
      args: [someone(1), '2'],
      value: '2000000000000000',
      calldata: encodeFunctionData({ abi: dropAbi, functionName: 'mintTo', args }),
    });
    expect(body[0].abi).toMatchObject([{ type: 'function', name: 'mintTo' }]);
    // Behind a minimal proxy.
    const proxy = someone(81);
    const bytecode = `0x363d3d373d3d3d363d73${address.slice(2)}5af43d82803e903d91602b57fd5bf3` as const;
    await nft.chain.test.setCode({ address: proxy, bytecode });
    const proxied = await simulate([{ address: someone(1) }], proxy);
    expect([proxied.status, proxied.body[0].function_name]).toEqual([200, 'mintTo']);
  });

  test('an address without code is a 404, a contract without a known mint function a 400', async () => {
    const nobody = await simulate([{ address: someone(1) }], someone(7));
    expect([nobody.status, nobody.body.code]).toEqual([404, 'NotFound']);
    await nft.chain.test.setCode({ address: someone(8), bytecode: '0x00' });
    const other = await simulate([{ address: someone(1) }], someone(8));
    expect([other.status, other.body.errors[0].path]).toEqual([400, ['nft_contract_address']]);
    expect(other.body.message).toContain('pricePerToken');
  });
});

const ALICE = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

test.each<[string, unknown, string[]]>([
  ['no JSON', '[{', ['recipients']],
  ['an object', { fid: 1 }, ['recipients']],
  ['null', 'null', ['recipients']],
  ['an empty list', [], ['recipients']],
  ['201 recipients', Array.from({ length: 201 }, () => ({ fid: 1 })), ['recipients']],
  ['numbers', [1, 2], ['recipients.0', 'recipients.1']],
  ['both address and fid', [{ address: ALICE, fid: 1 }], ['recipients.0']],
  ['neither', [{ quantity: 1 }], ['recipients.0']],
  ['quantity 0', [{ fid: 1, quantity: 0 }], ['recipients.0.quantity']],
  ['a negative quantity', [{ fid: 1 }, { fid: 2, quantity: -1 }], ['recipients.1.quantity']],
  ['a fraction', [{ address: ALICE, quantity: 1.5 }], ['recipients.0.quantity']],
  ['a quantity as text', [{ address: ALICE, quantity: '1' }], ['recipients.0.quantity']],
  ['a quantity beyond 2^53', `[{"fid":1,"quantity":9007199254740993}]`, ['recipients.0.quantity']],
  ['fid 0', [{ fid: 0 }], ['recipients.0.fid']],
  ['a short address', [{ address: '0x12' }], ['recipients.0.address']],
  ['mistyped addresses', [{ address: ALICE.replace('d', 'e') }, { address: ALICE }], ['recipients.0.address']],
  [
    'several faults',
    [{ fid: 0 }, { fid: 1 }, { address: ALICE, fid: 2 }, { address: ALICE, quantity: 0 }],
    ['recipients.0.fid', 'recipients.2', 'recipients.3.quantity'],
  ],
])('recipients that are %s', async (_, recipients, paths) => {
  const { status, body } = await simulate(recipients);
  expect([status, body.code]).toEqual([400, 'InvalidField']);
  expect(body.errors.map(({ path }: { path: string[] }) => path.join('.'))).toEqual(paths);
});

test('an address with the right checksum, in capitals or small letters', async () => {
  const spelled = [ALICE, ALICE.toLowerCase(), `0x${ALICE.slice(2).toUpperCase()}`];
  const { status, body } = await simulate(spelled.map((address) => ({ address })));
  expect([status, body.map((one: { args: string[] }) => one.args[0])]).toEqual([
    200,
    spelled.map(() => ALICE.toLowerCase()),
  ]);
});

test.each<[string, Record<string, string>, string]>([
  ['no recipients', { nft_contract_address: ALICE, network: 'base' }, 'recipients'],
  ['no contract', { recipients: '[{"fid":1}]', network: 'base' }, 'nft_contract_address'],
  [
    'a contract that is no address',
    { recipients: '[{"fid":1}]', network: 'base', nft_contract_address: '0x1' },
    'nft_contract_address',
  ],
  [
    'a mistyped contract',
    { recipients: '[{"fid":1}]', network: 'base', nft_contract_address: ALICE.replace('d', 'e') },
    'nft_contract_address',
  ],
  ['an unknown network', { recipients: '[{"fid":1}]', nft_contract_address: ALICE, network: 'ethereum' }, 'network'],
])('%s', async (_, query, member) => {
  const { status, body } = await nft.network.get(`${MINT}?${new URLSearchParams(query)}`);
  expect([status, body.errors[0].path]).toEqual([400, [member]]);
});
