import { UserDataType } from '@farcaster/core';
import { encodeAbiParameters, encodeFunctionData, type Hex, hashTypedData, keccak256, namehash, toHex } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { NAME_REGISTRIES } from '../src/onchain/name-owner.js';
import { fromUnixMs } from '../src/protocol/time.js';
import { DAY } from '../src/sample/clock.js';
import type { Signed } from '../src/sample/signed-message.js';
import { contractWalletFactoryAbi, contractWalletFactoryBytecode } from './support/artifact/contract-wallet-factory.js';
import { nameRegistryAbi, nameRegistryBytecode } from './support/artifact/name-registry.js';
import { SHORT_CALLS, startChain, type TestChain } from './support/chain.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { closeEndpoints, send as reply, startEndpoint } from './support/rpc-endpoint.js';
import { type Seeded, seedBasics } from './support/seed.js';
import { approvedSigner } from './support/signer.js';

/** What submissions claim and only chains know: owners of names, and signatures of contract wallets. */

const BINARY = { 'content-type': 'application/octet-stream' };
const submitTo = (network: Network, { wire }: Signed): Promise<TestResponse> =>
  network.send('POST', '/v1/submitMessage', wire, BINARY);
const startSeeded = async (...args: Parameters<typeof startNetwork>): Promise<[Network, Seeded]> => {
  const network = await startNetwork(...args);
  return [network, await seedBasics((items) => network.load(items), fromUnixMs(Date.now()) - DAY)];
};

describe('on chains that answer', () => {
  let ethereum: TestChain;
  let base: TestChain;
  let optimism: TestChain;
  let factory: Hex;
  let network: Network;
  let seeded: Seeded;

  const putRegistry = async (chain: TestChain, address: Hex): Promise<void> => {
    const { address: deployed } = await chain.deploy({
      abi: nameRegistryAbi,
      bytecode: nameRegistryBytecode,
      args: [],
    });
    const bytecode = (await chain.public.getCode({ address: deployed })) as Hex;
    await chain.test.setCode({ address, bytecode });
  };
  beforeAll(async () => {
    [ethereum, base, optimism] = await Promise.all([
      startChain({ chainId: 1 }),
      startChain({ chainId: 8453 }),
      startChain({ chainId: 10 }),
    ]);
    await putRegistry(ethereum, NAME_REGISTRIES.ethereum);
    await putRegistry(base, NAME_REGISTRIES.base);
    const artifact = { abi: contractWalletFactoryAbi, bytecode: contractWalletFactoryBytecode, args: [] as const };
    factory = (await optimism.deploy(artifact)).address;
    [network, seeded] = await startSeeded({
      CASTELLAN_RPC_ETHEREUM: ethereum.url,
      CASTELLAN_RPC_BASE: base.url,
      CASTELLAN_RPC_OPTIMISM: optimism.url,
    });
  });
  afterAll(async () => {
    await network?.stop();
    await Promise.all([ethereum, base, optimism].map((chain) => chain?.stop()));
  });

  const write = async (chain: TestChain, to: Hex, data: Hex): Promise<void> => {
    const sent = chain.wallet.sendTransaction({ account: chain.account(0), to, data, chain: chain.public.chain });
    await chain.receipt(sent);
  };
  /** Makes a name resolve to an address, with the registry as its own resolver unless another one is given. */
  const resolveTo = async (name: string, address: Uint8Array, resolver?: Hex): Promise<void> => {
    const [chain, registry] = name.endsWith('.base.eth')
      ? [base, NAME_REGISTRIES.base]
      : [ethereum, NAME_REGISTRIES.ethereum];
    const node = namehash(name);
    for (const [functionName, value] of [
      ['setResolver', resolver ?? registry],
      ['setAddr', toHex(address)],
    ] as const)
      await write(chain, registry, encodeFunctionData({ abi: nameRegistryAbi, functionName, args: [node, value] }));
  };
  const submit = (message: Signed) => submitTo(network, message);
  const refused = (details: RegExp) => ({
    status: 400,
    body: { errCode: 'bad_request.validation_failure', details: expect.stringMatching(details) },
  });
  const at = () => seeded.clock.tick();

  test.each(['harbor.eth', 'harbor.base.eth'])('%s is proven by its owner and becomes the username', async (name) => {
    const { grace, heidi } = seeded;
    const proof = await grace.ensProof(name, { at: at() });
    const claim = () => grace.userData(UserDataType.USERNAME, name, at());
    expect(await submit(proof)).toMatchObject(refused(/has no address on/));
    expect(await submit(claim())).toMatchObject(refused(/No proof that the name/));
    await resolveTo(name, heidi.custody.address);
    expect(await submit(proof)).toMatchObject(refused(/resolves to 0x.*, not to the owner of its proof/));
    await resolveTo(name, grace.custody.address);
    expect((await submit(proof)).status).toBe(200);
    expect((await submit(claim())).status).toBe(200);
    expect((await network.get(`/v2/social/user/by_username/?username=${name}`)).body.user.fid).toBe(grace.fid);
    // A name that was sold is no username any more, even if its proof is still stored.
    await resolveTo(name, heidi.custody.address);
    expect(await submit(claim())).toMatchObject(refused(/resolves to/));
  });

  test('a name of one registry is none of the other', async () => {
    const { grace } = seeded;
    await resolveTo('layered.eth', grace.custody.address);
    expect(await submit(await grace.ensProof('layered.base.eth', { at: at() }))).toMatchObject(
      refused(/layered\.base\.eth has no address on base/),
    );
  });

  test('a name belongs to a verified address, not to one that the account does not have', async () => {
    const { erin } = seeded;
    const owner = erin.wallet(4);
    await resolveTo('signal.eth', owner.address);
    const proof = () => erin.ensProof('signal.eth', { owner, at: at() });
    expect(await submit(await proof())).toMatchObject(
      refused(/neither the custody address nor a verified address of fid/),
    );
    expect((await submit(await erin.verifyEthereum(owner, at()))).status).toBe(200);
    expect((await submit(await proof())).status).toBe(200);
    const claim = () => erin.userData(UserDataType.USERNAME, 'signal.eth', at());
    expect((await submit(claim())).status).toBe(200);
    // The name is not that of an account whose address is verified no more.
    expect((await submit(erin.removeVerification(0, owner.address, at()))).status).toBe(200);
    expect(await submit(claim())).toMatchObject(refused(/neither the custody address nor a verified address/));
  });

  test('several messages at once are each held against their chain, and find what the earlier ones stored', async () => {
    const { frank } = seeded;
    const owner = frank.wallet(3);
    await resolveTo('batch.eth', owner.address);
    const messages = [
      await frank.verifyEthereum(owner, at()),
      await frank.ensProof('batch.eth', { owner, at: at() }),
      await frank.ensProof('absent.eth', { owner, at: at() }),
      frank.userData(UserDataType.USERNAME, 'batch.eth', at()),
      frank.cast({ text: 'Beside them', at: at() }),
    ];
    const items = messages.map(({ item }) => item);
    const { outcomes } = await network.app.core.ingest.submit(items, { source: 'local', announce: true });
    expect(outcomes.map((one) => (one.status === 'invalid' ? one.reason : one.status))).toEqual([
      ...['merged', 'merged', 'bad_claim', 'merged', 'merged'],
    ]);
  });

  test('a resolver that reverts, runs forever or returns something else proves no name', async () => {
    const { grace } = seeded;
    const codes: Hex[] = [
      '0x60006000fd', // reverts
      '0x5b600056', // runs until its gas is used up
      '0x620f42406000f3', // returns a megabyte of zeros
      '0x60ff60005260016000f3', // returns one byte
      '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff60005260206000f3', // returns no address
    ];
    for (const [index, bytecode] of codes.entries()) {
      const resolver = `0x${'e1'.repeat(19)}0${index}` as Hex;
      await ethereum.test.setCode({ address: resolver, bytecode });
      await resolveTo(`odd${index}.eth`, grace.custody.address, resolver);
      const answer = await submit(await grace.ensProof(`odd${index}.eth`, { at: at() }));
      expect(answer, bytecode).toMatchObject(refused(/has no address on ethereum|resolves to 0xffff/));
    }
  });

  const claimOf = (address: Hex, chainId: number, fid: number) =>
    hashTypedData({
      domain: {
        name: 'Farcaster Verify Ethereum Address',
        version: '2.0.0',
        chainId,
        salt: '0xf2d857f4a3edcb9b78b4d503bfe733db1e3f6cdc2b7971ee739626c97e86a558',
      },
      types: {
        VerificationClaim: [
          { name: 'fid', type: 'uint256' },
          { name: 'address', type: 'address' },
          { name: 'blockHash', type: 'bytes32' },
          { name: 'network', type: 'uint8' },
        ],
      },
      primaryType: 'VerificationClaim',
      message: { fid: BigInt(fid), address, blockHash: `0x${'07'.repeat(32)}`, network: 3 },
    });
  /** What the owner of a contract wallet signs for a hash, in the form in which the wallet takes it. */
  const signAs = async (wallet: Hex, hash: Hex, owner: PrivateKeyAccount): Promise<Hex> => {
    const types = [{ type: 'uint256' }, { type: 'address' }, { type: 'bytes32' }] as const;
    const bound = keccak256(encodeAbiParameters(types, [BigInt(optimism.chainId), wallet, hash]));
    const signature = await owner.sign({ hash: bound });
    return encodeAbiParameters([{ type: 'uint256' }, { type: 'bytes' }], [0n, signature]);
  };

  test('a contract wallet claims its address by a signature that its chain verifies', async () => {
    const { dan } = seeded;
    const signer_uuid = (await approvedSigner(network, dan)).uuid;
    const owner = privateKeyToAccount(generatePrivateKey());
    const abi = contractWalletFactoryAbi;
    await write(optimism, factory, encodeFunctionData({ abi, functionName: 'deploy', args: [owner.address] }));
    const address = await optimism.public.readContract({
      address: factory,
      abi,
      functionName: 'addressOf',
      args: [owner.address],
    });
    const verify = (eth_signature: Hex, chain_id = 10) =>
      network.send('POST', '/v2/social/user/verification/', {
        ...{ signer_uuid, address, block_hash: `0x${'07'.repeat(32)}`, eth_signature },
        ...{ verification_type: 1, chain_id },
      });
    const stranger = privateKeyToAccount(generatePrivateKey());
    const hash = claimOf(address, 10, dan.fid);
    const ofOtherChain = claimOf(address, 1, dan.fid);
    for (const [signature, chain] of [
      [await signAs(address, hash, stranger), 10],
      [await signAs(address, claimOf(address, 10, dan.fid + 1), owner), 10],
      [await signAs(address, ofOtherChain, owner), 10],
      // The wallet is not on this chain.
      [await signAs(address, ofOtherChain, owner), 1],
      ['0x1234', 10],
    ] as const) {
      expect(await verify(signature, chain)).toMatchObject({
        status: 400,
        body: { property: 'eth_signature', message: expect.stringContaining('is not its own over this claim') },
      });
    }
    expect(await verify(await signAs(address, hash, owner))).toMatchObject({ status: 200, body: { success: true } });
    const user = (await network.get(`/v2/social/user/bulk/?fids=${dan.fid}`)).body.users[0];
    expect(user.verified_addresses.eth_addresses).toContain(address.toLowerCase());
    expect(await submit(dan.verifyContract(Buffer.alloc(20, 9), 5, at()))).toMatchObject(
      refused(/chainId of a contract wallet is 1 \(Ethereum\) or 10 \(OP Mainnet\), not 5/),
    );
  });

  test('validateMessage asks no chain, as on hubs', async () => {
    const proof = await seeded.grace.ensProof('unasked.eth', { at: at() });
    const answer = await network.send('POST', '/v1/validateMessage', proof.wire, BINARY);
    expect(answer).toMatchObject({ status: 200, body: { valid: true } });
  });
});

describe('without a chain that can be asked', () => {
  afterEach(closeEndpoints);

  test('submissions are refused with the variable to set', async () => {
    const [network, { grace, clock }] = await startSeeded();
    const refusedWith = async (message: Signed, variable: string) =>
      expect(await submitTo(network, message)).toMatchObject({
        status: 400,
        body: {
          errCode: 'bad_request.validation_failure',
          details: expect.stringContaining(`the operator has to set ${variable} to`),
        },
      });
    await refusedWith(await grace.ensProof('grace.eth', { at: clock.tick() }), 'CASTELLAN_RPC_ETHEREUM');
    await refusedWith(await grace.ensProof('grace.base.eth', { at: clock.tick() }), 'CASTELLAN_RPC_BASE');
    await refusedWith(grace.verifyContract(Buffer.alloc(20, 9), 10, clock.tick()), 'CASTELLAN_RPC_OPTIMISM');
    await refusedWith(grace.verifyContract(Buffer.alloc(20, 9), 1, clock.tick()), 'CASTELLAN_RPC_ETHEREUM');
    // A name whose proof came from a hub or a file can be taken all the same.
    await network.load([(await grace.ensProof('grace.eth', { at: clock.tick() })).item]);
    expect((await submitTo(network, grace.userData(UserDataType.USERNAME, 'grace.eth', clock.tick()))).status).toBe(
      200,
    );
    await network.stop();
  });

  test('an endpoint that fails, is late or sends garbage is a 503 in time, and nothing is stored', async () => {
    const endpoint = await startEndpoint(() => undefined);
    const calls = { timings: { chainCalls: SHORT_CALLS } };
    const rpc = { CASTELLAN_RPC_ETHEREUM: endpoint.url };
    const [network, { grace, dan, clock }] = await startSeeded(rpc, undefined, calls);
    const signer_uuid = (await approvedSigner(network, dan)).uuid;
    const isAsked = (method: string): boolean => method !== 'eth_chainId';
    const behaviours: (typeof endpoint.behave)[] = [
      (_request, response) => void response.writeHead(500).end('broken'),
      (_request, response) => void response.end('{"result": '),
      (_request, response) => void response.writeHead(200).write('{'),
      ({ id, method }, response) => {
        if (isAsked(method)) return void response.destroy();
        reply(response, { jsonrpc: '2.0', id, result: '0x1' });
      },
      ({ id, method }, response) =>
        reply(response, { jsonrpc: '2.0', id, result: isAsked(method) ? { deep: [1] } : '0x1' }),
      // Whether the endpoint has told its chain before or not.
      ({ id, method }, response) => {
        if (isAsked(method)) return void response.destroy();
        reply(response, { jsonrpc: '2.0', id, result: '0x2' });
      },
    ];
    for (const behave of behaviours) {
      endpoint.behave = behave;
      const began = performance.now();
      const proof = await grace.ensProof('late.eth', { at: clock.tick() });
      const answer = await submitTo(network, proof);
      expect([answer.status, answer.body.errCode], String(behave)).toEqual([503, 'unavailable']);
      expect(answer.body.details).toMatch(/network|endpoint/i);
      expect(JSON.stringify(answer.body)).not.toContain(endpoint.url);
      const verification = await network.send('POST', '/v2/social/user/verification/', {
        ...{ signer_uuid, address: `0x${'09'.repeat(20)}`, block_hash: `0x${'07'.repeat(32)}` },
        ...{ eth_signature: '0x1234', verification_type: 1, chain_id: 1 },
      });
      expect([verification.status, verification.body.property], String(behave)).toEqual([503, 'eth_signature']);
      expect(performance.now() - began).toBeLessThan(12_000);
    }
    expect(await network.sql("select 1 from username_proof where name = 'late.eth'")).toEqual([]);
    expect(await network.sql('select 1 from message where message_set = 6 and fid = $1', [dan.fid])).toEqual([]);
    await network.stop();
  });
});
