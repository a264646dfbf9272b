import { type Address, type Hex, numberToHex } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Subscription } from '../src/schema/onchain/stp.js';
import { type Receiver, startReceiver } from './support/receiver.js';
import type { Decision, ProxiedRequest } from './support/rpc-proxy.js';
import { FIDS } from './support/seed.js';
import { type StpEnvironment, startStpEnvironment } from './support/stp.js';
import { MONTH, PER_SECOND, V1 } from './support/stp-contract.js';
import { setContractCode } from './support/token-environment.js';

let world: StpEnvironment;
let files: Receiver;
beforeAll(async () => {
  files = await startReceiver(({ path }, response) => {
    // Never answers.
    if (path === '/slow') return;
    if (path === '/moved') response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end();
    else if (path === '/long') response.end(JSON.stringify({ image: `https://a.example/${'x'.repeat(300_000)}` }));
    else if (path === '/script') response.end(JSON.stringify({ image: 'javascript:alert(1)' }));
    else if (path === '/broken') response.end('{"image":');
    else if (path === '/null') response.end('null');
    else response.end(JSON.stringify({ image: 'ipfs://bafy/art.png' }));
  });
  world = await startStpEnvironment({
    CASTELLAN_ALLOW_LOOPBACK_TARGETS: '1',
    CASTELLAN_CRAWL: '1',
    CASTELLAN_IPFS_GATEWAY: 'https://gateway.example/',
  });
});
afterAll(async () => {
  await world.stop();
  await files.stop();
});
beforeEach(() => {
  world.proxy.decide = () => 'pass';
  world.proxy.forget();
});

const STRANGER: Address = '0x00000000000000000000000000000000000000aa';

const mint = async (contract: Address, to: Address): Promise<void> => {
  const value = PER_SECOND * BigInt(MONTH);
  await world.send(contract, { abi: V1, functionName: 'mintFor', args: [to, value] }, { value });
};

interface TransferRow {
  readonly block: number;
  readonly recipient: string;
  readonly at: Date;
}
const transfersOf = (contract: Address) =>
  world.network.sql<TransferRow>(
    `select block, '0x' || encode(recipient, 'hex') as recipient, at from stp_transfer
      where contract = decode($1, 'hex') order by block, log_index`,
    [contract.slice(2)],
  );
const recipientsOf = async (contract: Address) => (await transfersOf(contract)).map(({ recipient }) => recipient);

interface ContractRow {
  readonly owner: string | null;
  readonly name: string | null;
  readonly art_url: string | null;
  readonly art_at: Date | null;
}
const contractAt = async (contract: Address): Promise<ContractRow | undefined> =>
  (
    await world.network.sql<ContractRow>(
      `select encode(owner, 'hex') as owner, name, art_url, art_at from stp_contract where address = decode($1, 'hex')`,
      [contract.slice(2)],
    )
  )[0];

const everything = () =>
  world.network.sql(
    `select encode(contract, 'hex') as contract, token_id::text, block, log_index, encode(recipient, 'hex') as recipient, at
       from stp_transfer order by 1, 2, 3, 4`,
  );

const lower = (address: Address): string => address.toLowerCase();

/** Forgets what was searched, so that the next round begins at the first block. */
const forget = async (): Promise<void> => {
  await world.network.sql('delete from stp_contract');
  await world.network.sql('delete from stp_factory');
};

const isLogs = ({ method }: ProxiedRequest): boolean => method === 'eth_getLogs';

describe('a reorganization', () => {
  test('takes back contracts and tokens of blocks that are gone, and keeps those that came instead', async () => {
    const { chain, factories } = world;
    const [bob, carol, dan] = [world.custody('bob'), world.custody('carol'), world.custody('dan')];
    const kept = await factories.deployV1();
    await mint(kept, bob.address);
    await world.index();
    const snapshot = await chain.test.snapshot();
    const transfer = { abi: V1, functionName: 'transferFrom', args: [bob.address, carol.address, 1n] };
    await world.send(kept, transfer, { from: bob });
    await mint(kept, dan.address);
    const gone = await factories.deployV1();
    await mint(gone, dan.address);
    await world.index();
    expect(await recipientsOf(kept)).toEqual([bob, carol, dan].map(({ address }) => lower(address)));
    expect(await recipientsOf(gone)).toEqual([lower(dan.address)]);

    await chain.test.revert({ id: snapshot });
    // The new chain is shorter at first.
    await world.index();
    expect(await recipientsOf(kept)).toEqual([lower(bob.address)]);
    expect(await contractAt(gone)).toBeUndefined();
    await mint(kept, STRANGER);
    await world.index();
    expect(await recipientsOf(kept)).toEqual([lower(bob.address), STRANGER]);
    await chain.mine(5);
    await world.index();
    expect(await recipientsOf(kept)).toEqual([lower(bob.address), STRANGER]);
  });

  test('keeps the metadata of contracts whose blocks are read again', async () => {
    const uri = `data:application/json;base64,${Buffer.from('{"image":"https://a.example/a.png"}').toString('base64')}`;
    const contract = await world.factories.deployV1({ name: 'Kept', uri });
    await world.index();
    expect(await contractAt(contract)).toMatchObject({ name: 'Kept', art_url: 'https://a.example/a.png' });
    await world.chain.mine();
    await world.index();
    expect(await contractAt(contract)).toMatchObject({ name: 'Kept', art_url: 'https://a.example/a.png' });
  });
});

describe('the search', () => {
  beforeAll(async () => {
    for (const name of ['bob', 'carol'] as const)
      await mint(await world.factories.deployV1(), world.custody(name).address);
    await world.index();
  });

  test('stores nothing twice, however often and with how many processes it runs', async () => {
    const contract = await world.factories.deployV2();
    await world.index();
    const before = await everything();
    await Promise.all([world.index(), world.index(), world.index()]);
    await world.chain.mine(40);
    await Promise.all([world.index(), world.index()]);
    await world.index();
    expect(await everything()).toEqual(before);
    expect(await contractAt(contract)).toMatchObject({ name: 'Second' });
  });

  test('reads in ranges that the endpoint accepts, and again from the start where it found nothing yet', async () => {
    const before = await everything();
    await forget();
    const most = 7;
    world.proxy.decide = (request): Decision => {
      if (!isLogs(request)) return 'pass';
      const [{ fromBlock, toBlock }] = request.params;
      if (Number(toBlock) - Number(fromBlock) + 1 <= most) return 'pass';
      return { error: { code: -32_602, message: `eth_getLogs is limited to a ${most} block range` } };
    };
    const head = Number(await world.chain.public.getBlockNumber());
    for (let rounds = 0; rounds < 4 + head / most; rounds += 1) {
      world.proxy.forget();
      await world.index();
      const asked = new Set(world.proxy.passed.filter(isLogs).map(({ params }) => JSON.stringify(params)));
      expect(asked.size).toBeLessThanOrEqual(2 * 27); // Of two factories.
    }
    expect(await everything()).toEqual(before);
  });

  test('asks for the times of blocks where the endpoint does not send them', async () => {
    const before = await everything();
    await forget();
    const logs = (await world.chain.public.request({
      method: 'eth_getLogs',
      params: [{ fromBlock: '0x0', toBlock: 'latest' }],
    })) as unknown as Record<string, Hex & readonly Hex[]>[];
    world.proxy.decide = (request): Decision => {
      if (!isLogs(request)) return 'pass';
      const [{ fromBlock, toBlock, address, topics }] = request.params;
      const result = logs
        .filter(
          (log) =>
            address.includes(log.address) &&
            topics[0].includes(log.topics?.[0]) &&
            Number(log.blockNumber) >= Number(fromBlock) &&
            Number(log.blockNumber) <= Number(toBlock),
        )
        .map(({ blockTimestamp: _, ...rest }) => rest);
      return { result };
    };
    await world.index();
    expect(await everything()).toEqual(before);
    expect(world.proxy.count('eth_getBlockByNumber')).toBeGreaterThan(2);
  });

  test('ignores events that the endpoint was not asked for, and malformed ones', async () => {
    const contract = await world.factories.deployV1();
    // Older than the blocks that each round reads again.
    await world.chain.mine(40);
    await world.index();
    const before = await everything();
    const head = Number(await world.chain.public.getBlockNumber());
    const topics = [
      '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
      `0x${'0'.repeat(64)}`,
      `0x${'0'.repeat(24)}${'ab'.repeat(20)}`,
      `0x${'0'.repeat(63)}1`,
    ];
    const log = {
      address: contract,
      topics,
      blockNumber: numberToHex(head),
      logIndex: '0x0',
      blockTimestamp: '0x1',
      transactionHash: `0x${'ef'.repeat(32)}`,
    };
    world.proxy.decide = (request): Decision => {
      if (!isLogs(request)) return 'pass';
      const events = [
        { topics: [...topics.slice(0, 2), `0x${'0'.repeat(24)}${'cd'.repeat(20)}`, topics[3]] },
        { address: STRANGER },
        { blockNumber: numberToHex(head + 1000) },
        { topics: topics.slice(0, 3) },
        { topics: [...topics.slice(0, 2), `0x${'f'.repeat(64)}`, topics[3]] },
        { removed: true },
        { logIndex: 'x' },
        { address: null },
      ];
      const result = [...events.map((more, index) => ({ ...log, logIndex: numberToHex(index), ...more })), null, 'log'];
      return { result };
    };
    await world.index();
    const rows = JSON.stringify(await everything());
    // The first one is well-formed.
    expect(rows).toContain('cdcd');
    expect(rows).not.toContain('abab');
    world.proxy.decide = () => 'pass';
    await world.index();
    expect(await everything()).toEqual(before);
  });

  test('marks answers as partial until it has reached the newest block, and tries a refusing endpoint later', async () => {
    await forget();
    world.proxy.decide = (request): Decision =>
      isLogs(request) ? { error: { code: -32_601, message: 'the method eth_getLogs does not exist' } } : 'pass';
    await world.index();
    const path = `/v2/social/user/subscribed_to/?fid=${FIDS.alice}&subscription_provider=stp`;
    const partial = await world.network.get(path);
    expect([partial.status, partial.headers.get('x-partial-networks')]).toEqual([200, 'base']);
    world.proxy.decide = () => 'pass';
    world.proxy.forget();
    await world.index();
    expect(world.proxy.count('eth_getLogs')).toBe(0);
    world.later(61 * 60 * 1000);
    await world.index();
    expect((await world.network.get(path)).headers.get('x-partial-networks')).toBeNull();
    expect(await everything()).not.toEqual([]);
  });

  test('marks answers as partial when it has not reached the newest block for ten minutes', async () => {
    await world.index();
    const path = `/v2/social/user/subscribed_to/?fid=${FIDS.alice}&subscription_provider=stp`;
    const partial = async () => (await world.network.get(path)).headers.get('x-partial-networks');
    expect(await partial()).toBeNull();
    world.later(11 * 60 * 1000);
    expect(await partial()).toBe('base');
    await world.index();
    expect(await partial()).toBeNull();
  });

  test('takes nothing back for an endpoint that is far behind, or has another block once', async () => {
    await world.index();
    await world.chain.mine(40);
    await world.index();
    const before = await everything();
    world.proxy.decide = ({ method }): Decision => (method === 'eth_blockNumber' ? { result: '0x3' } : 'pass');
    await world.index();
    expect(await everything()).toEqual(before);
    world.proxy.decide = ({ method, params }): Decision =>
      method === 'eth_getBlockByNumber' && params[1] === false && params[0] !== 'latest'
        ? { result: { hash: `0x${'12'.repeat(32)}`, timestamp: '0x1' } }
        : 'pass';
    await world.index();
    world.proxy.decide = () => 'pass';
    await world.index();
    expect(await everything()).toEqual(before);
    expect(await world.network.sql('select 1 from stp_factory where is_doubted')).toEqual([]);
  });

  test('leaves out a contract with too many events in a block, and no other one', async () => {
    const [noisy, quiet] = [await world.factories.deployV1(), await world.factories.deployV1()];
    const crowded = Number(await world.chain.public.getBlockNumber());
    world.proxy.decide = (request): Decision => {
      if (!isLogs(request)) return 'pass';
      const [{ fromBlock, toBlock, address }] = request.params;
      const isCrowded = Number(fromBlock) <= crowded && crowded <= Number(toBlock) && address.includes(lower(noisy));
      return isCrowded ? { error: { code: -32_005, message: 'query returned more than 10000 results' } } : 'pass';
    };
    await mint(quiet, world.custody('dan').address);
    for (let round = 0; round < 8; round += 1) await world.index();
    expect(await recipientsOf(quiet)).toEqual([lower(world.custody('dan').address)]);
    world.proxy.decide = () => 'pass';
    await world.index();
  });

  test('begins anew on another chain', async () => {
    await world.index();
    await world.network.sql(`update stp_factory set anchor_hash = '\\x${'00'.repeat(32)}'`);
    await world.network.sql(
      `insert into stp_contract (network, chain_id, address, factory, block, changed_block)
        values ('base', 8453, decode($1, 'hex'), decode($2, 'hex'), 0, 0)`,
      [STRANGER.slice(2), world.factories.v1.slice(2)],
    );
    const before = await everything();
    await world.index();
    expect(await contractAt(STRANGER)).toBeDefined();
    await world.index();
    expect(await contractAt(STRANGER)).toBeUndefined();
    expect(await everything()).toEqual(before);
  });
});

describe('a hostile contract', () => {
  test.each<[string, Hex]>([
    ['reverts', '0x5f5ffd'],
    ['never ends', '0x5b5f56'],
    ['returns 16 MB', '0x63010000005ff3'],
    ['returns ones', '0x5f195f5260205ff3'],
    ['has no code', '0x'],
  ])('that %s is stored without owner and name, and other contracts are indexed', async (_, code) => {
    const [hostile, good] = [await world.factories.deployV1({ name: 'Bad' }), await world.factories.deployV1()];
    await mint(hostile, world.custody('erin').address);
    await setContractCode(world.chain, hostile, code);
    await mint(good, world.custody('erin').address);
    await world.index();
    expect(await contractAt(hostile)).toMatchObject({ owner: null, name: null });
    expect(await contractAt(good)).toMatchObject({ name: 'First' });
  });

  test('whose name is no readable text has none that hurts a reader', async () => {
    const contract = await world.factories.deployV1({ name: `\u202e evil\u0000 ${'x'.repeat(150)}`, symbol: '😀' });
    await world.index();
    const { name } = (await contractAt(contract)) ?? {};
    expect(name).toBe(`evil ${'x'.repeat(59)}`);
  });
});

describe('metadata', () => {
  const artOf = async (uri: string): Promise<string | null | undefined> => {
    const contract = await world.factories.deployV1({ uri });
    await world.index();
    return (await contractAt(contract))?.art_url;
  };

  test('is fetched once, and its ipfs picture is shown at the gateway', async () => {
    const before = files.received.length;
    expect(await artOf(`${files.url}/art`)).toBe('https://gateway.example/ipfs/bafy/art.png');
    await world.index();
    expect(files.received.length).toBe(before + 1);
    world.later(25 * 60 * 60 * 1000);
    await world.index();
    expect(files.received.length).toBeGreaterThan(before + 1);
  });

  test('that redirects to the metadata service of a cloud is not followed', async () => {
    expect(await artOf(`${files.url}/moved`)).toBeNull();
  });

  test.each(['long', 'script', 'broken', 'null'])('at /%s has no picture', async (path) => {
    expect(await artOf(`${files.url}/${path}`)).toBeNull();
  });

  test.each(['data:,', 'data:application/json;base64,!', 'file:///etc/passwd', 'http://10.0.0.1/', 'no address'])(
    'at %s has no picture',
    async (uri) => {
      expect(await artOf(uri)).toBeNull();
    },
  );

  test('with a picture that no database stores has none, and delays no other contract', async () => {
    const uri = `data:application/json,${encodeURIComponent('{"image":"data:image/png,\\u0000"}')}`;
    let hostile = STRANGER;
    for (let count = 0; count < 6; count += 1) hostile = await world.factories.deployV1({ uri });
    expect(await artOf(`${files.url}/art`)).toContain('gateway.example');
    expect(await contractAt(hostile)).toMatchObject({ art_url: null, art_at: expect.any(Date) });
  });

  test('that never arrives delays no other contract and no answer', async () => {
    const slow = await world.factories.deployV1({ uri: `${files.url}/slow`, owner: world.custody('bob') });
    const other = await world.factories.deployV1({ uri: `${files.url}/art`, owner: world.custody('bob') });
    const round = world.index();
    await expect.poll(async () => (await contractAt(other))?.art_url, { timeout: 4000 }).toContain('gateway.example');
    expect(await contractAt(slow)).toMatchObject({ art_url: null, art_at: null });
    const path = `/v2/social/user/subscriptions_created/?fid=${FIDS.bob}&subscription_provider=stp`;
    const [{ subscriptions_created: list }] = (await world.network.get(path)).body.subscriptions_created;
    const listed = new Map((list as Subscription[]).map((one) => [one.contract_address, one.metadata.art_url]));
    expect([listed.get(slow), listed.get(other)]).toEqual(['', 'https://gateway.example/ipfs/bafy/art.png']);
    await round;
    expect(await contractAt(slow)).toMatchObject({ art_url: null, art_at: expect.any(Date) });
  });
});
