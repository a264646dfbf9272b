import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  hashTypedData,
  keccak256,
  type LocalAccount,
  numberToHex,
  parseEventLogs,
  recoverAddress,
  zeroAddress,
} from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { contractWalletFactoryAbi, contractWalletFactoryBytecode } from './support/artifact/contract-wallet-factory.js';
import type { TestChain } from './support/chain.js';
import {
  type AddedKey,
  fidOf,
  inAnHour,
  nonceOf,
  REGISTRY,
  type Requester,
  registerAccount,
  requestedKey,
  revertOf,
  sendFrom,
  signAdd,
  signRegister,
  signRemove,
  startRegistryChain,
  whilePaused,
} from './support/registry.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const newOwner = (): PrivateKeyAccount => privateKeyToAccount(generatePrivateKey());
const newKey = (): Hex => generatePrivateKey();
const { idRegistry, idGateway, keyRegistry, keyGateway, bundler, validator } = REGISTRY;
const [NULL, ADDED, REMOVED] = [0, 1, 2];

let chain: TestChain;
let payer: Address;
/** An app that asks for keys. */
let app: Requester;
beforeAll(async () => {
  chain = await startRegistryChain();
  payer = chain.account(0).address;
  const custody = newOwner();
  app = { fid: await registerAccount(chain, custody), custody };
});
afterAll(() => chain.stop());

const stateOf = async (fid: bigint, key: Hex) =>
  chain.public.readContract({ ...keyRegistry, functionName: 'keyDataOf', args: [fid, key] });
const keysOf = async (fid: bigint, state: number) =>
  chain.public.readContract({ ...keyRegistry, functionName: 'keysOf', args: [fid, state] });

/** An account and a call that adds a key for it. */
const addCall = async (
  owner: LocalAccount,
  key: AddedKey,
  changed: { nonce?: bigint; deadline?: bigint; sig?: Hex } = {},
) => {
  const deadline = changed.deadline ?? (await inAnHour(chain));
  const nonce = changed.nonce ?? (await nonceOf(chain, 'keyGateway', owner.address));
  const sig = changed.sig ?? (await signAdd(owner, { ...key, nonce, deadline }));
  const args = [owner.address, key.keyType, key.key, key.metadataType, key.metadata, deadline, sig] as const;
  return { ...keyGateway, functionName: 'addFor', args, account: chain.account(0) } as const;
};
const addFor = async (...given: Parameters<typeof addCall>) =>
  chain.receipt(chain.wallet.writeContract(await addCall(...given)));
const simulate = async (...given: Parameters<typeof addCall>) => chain.public.simulateContract(await addCall(...given));

describe('keys', () => {
  test('are added by the owner and by its signature, and removed', async () => {
    const owner = newOwner();
    const fid = await registerAccount(chain, owner);
    const deadline = await inAnHour(chain);
    const keys = await Promise.all([newKey(), newKey(), newKey()].map((key) => requestedKey(key, app, deadline)));
    const [first, second, third] = keys as [AddedKey, AddedKey, AddedKey];
    const receipt = await addFor(owner, first);
    expect(parseEventLogs({ abi: keyRegistry.abi, logs: receipt.logs })).toMatchObject([
      {
        eventName: 'Add',
        args: {
          fid,
          keyType: 1,
          key: keccak256(first.key),
          keyBytes: first.key,
          metadataType: 1,
          metadata: first.metadata,
        },
      },
    ]);
    expect(await stateOf(fid, first.key)).toEqual({ state: ADDED, keyType: 1 });
    expect(await stateOf(fid, second.key)).toEqual({ state: NULL, keyType: 0 });

    // A key that signs in is added with the same kind of metadata.
    const args = [2, second.key, 1, second.metadata] as const;
    const data = encodeFunctionData({ ...keyGateway, functionName: 'add', args });
    await sendFrom(chain, owner.address, { to: keyGateway.address, data });
    await addFor(owner, third);
    expect(await stateOf(fid, second.key)).toEqual({ state: ADDED, keyType: 2 });
    expect(await keysOf(fid, ADDED)).toEqual(keys.map(({ key }) => key));

    const page = (start: bigint, size: bigint) =>
      chain.public.readContract({ ...keyRegistry, functionName: 'keysOf', args: [fid, ADDED, start, size] });
    expect(await page(0n, 2n)).toEqual([[first.key, second.key], 2n]);
    expect(await page(2n, 2n)).toEqual([[third.key], 0n]);
    expect(await page(3n, 2n)).toEqual([[], 0n]);
    expect(await page(1n, 0n)).toEqual([[], 1n]);

    const removal = encodeFunctionData({ ...keyRegistry, functionName: 'remove', args: [first.key] });
    const removed = await sendFrom(chain, owner.address, { to: keyRegistry.address, data: removal });
    expect(parseEventLogs({ abi: keyRegistry.abi, logs: removed.logs })).toMatchObject([
      { eventName: 'Remove', args: { fid, key: keccak256(first.key), keyBytes: first.key } },
    ]);
    // The last key takes the place of the removed one.
    expect([await keysOf(fid, ADDED), await keysOf(fid, REMOVED)]).toEqual([[third.key, second.key], [first.key]]);
    const at = (state: number, index: bigint) => ({
      ...keyRegistry,
      functionName: 'keyAt' as const,
      args: [fid, state, index] as const,
    });
    expect(await chain.public.readContract(at(ADDED, 1n))).toBe(second.key);
    expect(await revertOf(chain.public.readContract(at(ADDED, 2n)))).toBe('Panic(50)');
    expect(await revertOf(chain.public.readContract(at(NULL, 0n)))).toBe('InvalidState');
    const total = (state: number) =>
      chain.public.readContract({ ...keyRegistry, functionName: 'totalKeys', args: [fid, state] });
    expect([await total(ADDED), await total(REMOVED)]).toEqual([2n, 1n]);
    expect(await revertOf(simulate(owner, first)), 'a removed key never comes back').toBe('InvalidState');

    const remove = async (sig: Hex, until = deadline) =>
      ({
        ...keyRegistry,
        functionName: 'removeFor',
        args: [owner.address, third.key, until, sig],
        account: chain.account(0),
      }) as const;
    const sig = await signRemove(owner, { key: third.key, nonce: 0n, deadline });
    const late = BigInt(await chain.now()) - 1n;
    expect(await revertOf(chain.public.simulateContract(await remove(sig, late)))).toBe('SignatureExpired');
    expect(await revertOf(chain.public.simulateContract(await remove('0x00')))).toBe('InvalidSignature');
    await chain.receipt(chain.wallet.writeContract(await remove(sig)));
    expect(await stateOf(fid, third.key)).toEqual({ state: REMOVED, keyType: 1 });
    expect(await revertOf(chain.public.simulateContract(await remove(sig)))).toBe('InvalidSignature');
    const next = await signRemove(owner, { key: third.key, nonce: 1n, deadline });
    expect(await revertOf(chain.public.simulateContract(await remove(next)))).toBe('InvalidState');
  });

  test('are refused', async () => {
    const [owner, stranger] = [newOwner(), newOwner()];
    const fid = await registerAccount(chain, owner);
    const deadline = await inAnHour(chain);
    const late = BigInt(await chain.now()) - 1n;
    const key = await requestedKey(newKey(), app, deadline);
    expect(await revertOf(simulate(stranger, key))).toBe('Unauthorized');
    expect(await revertOf(simulate(owner, key, { deadline: late }))).toBe('SignatureExpired');
    expect(await revertOf(simulate(owner, key, { nonce: 1n }))).toBe('InvalidSignature');
    expect(await revertOf(simulate(owner, key, { sig: '0x' }))).toBe('InvalidSignature');
    expect(await revertOf(simulate(owner, { ...key, keyType: 3 }))).toBe('ValidatorNotFound(3, 1)');
    expect(await revertOf(simulate(owner, { ...key, metadataType: 2 }))).toBe('ValidatorNotFound(1, 2)');
    expect(await revertOf(simulate(owner, { ...key, metadata: '0x' }))).toBe('without data');
    expect(await revertOf(simulate(owner, { ...key, key: newKey() })), 'metadata of another key').toBe(
      'InvalidMetadata',
    );
    const short = await requestedKey('0x1234', app, deadline);
    expect(await revertOf(simulate(owner, short)), 'not 32 bytes').toBe('InvalidMetadata');
    const ended = await requestedKey(key.key, app, late);
    expect(await revertOf(simulate(owner, ended)), 'a request that ended').toBe('InvalidMetadata');
    const foreign = await requestedKey(key.key, { ...app, fid }, deadline);
    expect(await revertOf(simulate(owner, foreign)), 'a request of an account of another owner').toBe(
      'InvalidMetadata',
    );
    const nobody = await requestedKey(key.key, { fid: 0n, custody: stranger }, deadline);
    // Fid 0 is that of every address without an account; the real validator takes its signature, too.
    await simulate(owner, nobody);

    const direct = { ...keyRegistry, functionName: 'add', account: payer } as const;
    const args = [owner.address, 1, key.key, 1, key.metadata] as const;
    expect(await revertOf(chain.public.simulateContract({ ...direct, args }))).toBe('Unauthorized');
    const remove = { ...keyRegistry, functionName: 'remove', args: [key.key] } as const;
    expect(await revertOf(chain.public.simulateContract({ ...remove, account: stranger.address }))).toBe(
      'Unauthorized',
    );
    expect(await revertOf(chain.public.simulateContract({ ...remove, account: owner.address }))).toBe('InvalidState');
    for (const contract of ['keyGateway', 'keyRegistry'] as const) {
      await whilePaused(chain, contract, async () => {
        expect(await revertOf(simulate(owner, key))).toBe('Error(Pausable: paused)');
      });
    }
    await addFor(owner, key);
    expect(await revertOf(simulate(owner, key)), 'the same key').toBe('InvalidState');
    const other = newOwner();
    await registerAccount(chain, other);
    await simulate(other, key);
  });

  test('are at most a thousand', async () => {
    const owner = newOwner();
    await registerAccount(chain, owner);
    expect(await chain.public.readContract({ ...keyRegistry, functionName: 'maxKeysPerFid' })).toBe(1000n);
    // The length of the list of active keys is found by adding one.
    const key = await requestedKey(newKey(), app, await inAnHour(chain));
    const { accessList } = await chain.public.createAccessList({
      to: keyRegistry.address,
      data: encodeFunctionData({
        ...keyRegistry,
        functionName: 'totalKeys',
        args: [await fidOf(chain, owner.address), ADDED],
      }),
    });
    const slots = accessList.find(({ address }) => address.toLowerCase() === keyRegistry.address.toLowerCase());
    const index = slots?.storageKeys[0] as Hex;
    const setLength = (length: number) =>
      chain.test.setStorageAt({ address: keyRegistry.address, index, value: numberToHex(length, { size: 32 }) });
    await setLength(1000);
    expect(await revertOf(simulate(owner, key))).toBe('ExceedsMaximum');
    await setLength(999);
    await simulate(owner, key);
  });
});

describe('bundler', () => {
  /** A call that registers an account with a key. */
  const bundle = async (owner: LocalAccount, value?: bigint, extra = 1n, keys = 2) => {
    const deadline = await inAnHour(chain);
    const added = await Promise.all(
      Array.from({ length: keys }, async (_, nonce) => {
        const key = await requestedKey(newKey(), app, deadline);
        return { ...key, deadline, sig: await signAdd(owner, { ...key, nonce: BigInt(nonce), deadline }) };
      }),
    );
    const sig = await signRegister(owner, { recovery: zeroAddress, nonce: 0n, deadline });
    const args = [{ to: owner.address, recovery: zeroAddress, deadline, sig }, added, extra] as const;
    const price = await chain.public.readContract({ ...bundler, functionName: 'price', args: [extra] });
    const call = { ...bundler, functionName: 'register', value: value ?? price, account: chain.account(0) } as const;
    return { ...call, args, price };
  };

  test('registers with keys and storage, and gives back the surplus', async () => {
    const owner = newOwner();
    const { price, ...call } = await bundle(owner);
    const before = await chain.public.getBalance({ address: payer });
    const receipt = await chain.receipt(chain.wallet.writeContract({ ...call, value: price + 10n ** 15n }));
    const spent = before - (await chain.public.getBalance({ address: payer }));
    expect(spent - receipt.gasUsed * receipt.effectiveGasPrice).toBe(price);
    const fid = await fidOf(chain, owner.address);
    expect(await keysOf(fid, ADDED)).toEqual(call.args[1].map(({ key }) => key));
    const names = parseEventLogs({
      abi: [...idRegistry.abi, ...REGISTRY.storageRegistry.abi, ...keyRegistry.abi],
      logs: receipt.logs,
    }).map(({ eventName }) => eventName);
    expect(names).toEqual(['Register', 'Rent', 'Add', 'Add']);
  });

  test('does all or nothing', async () => {
    const owner = newOwner();
    const call = await bundle(owner);
    expect(await revertOf(chain.public.simulateContract({ ...call, value: call.price - 1n }))).toBe('InvalidPayment');
    const [account, [first, second], extra] = call.args;
    type Signed = NonNullable<typeof first>;
    const swapped = [second, first] as [Signed, Signed];
    expect(
      await revertOf(chain.public.simulateContract({ ...call, args: [account, swapped, extra] })),
      'nonces of keys are in order',
    ).toBe('InvalidSignature');
    const twice = [first, first] as [Signed, Signed];
    expect(await revertOf(chain.public.simulateContract({ ...call, args: [account, twice, extra] }))).toBe(
      'InvalidSignature',
    );
    await registerAccount(chain, owner);
    expect(await revertOf(chain.public.simulateContract(call)), 'the nonce is used').toBe('InvalidSignature');
  });
});

describe('contract wallets', () => {
  test('own accounts, and sign by ERC-1271 for everything', async () => {
    const factory = await chain.deploy({
      abi: contractWalletFactoryAbi,
      bytecode: contractWalletFactoryBytecode,
      args: [],
    });
    const key = newOwner();
    const deployed = { address: factory.address, abi: contractWalletFactoryAbi, args: [key.address] } as const;
    await chain.receipt(chain.wallet.writeContract({ ...deployed, functionName: 'deploy', account: chain.account(0) }));
    const address = await chain.public.readContract({ ...deployed, functionName: 'addressOf' });
    const owner: LocalAccount = {
      ...key,
      address,
      signTypedData: async (data) => {
        const bound = encodeAbiParameters(
          [{ type: 'uint256' }, { type: 'address' }, { type: 'bytes32' }],
          [10n, address, hashTypedData(data as Parameters<typeof hashTypedData>[0])],
        );
        const inner = await key.sign({ hash: keccak256(bound) });
        return encodeAbiParameters([{ type: 'uint256' }, { type: 'bytes' }], [0n, inner]);
      },
    };
    const fid = await registerAccount(chain, owner);
    expect(fid).toBeGreaterThan(0n);
    const deadline = await inAnHour(chain);
    const added = await requestedKey(newKey(), { fid, custody: owner }, deadline);
    await addFor(owner, added);
    expect(await stateOf(fid, added.key)).toEqual({ state: ADDED, keyType: 1 });
    const message = { ...added, nonce: 1n, deadline };
    const bare = await signAdd({ ...key, address } as LocalAccount, message);
    expect(await revertOf(simulate(owner, added, { sig: bare, deadline })), 'the key is not the wallet').toBe(
      'InvalidSignature',
    );
  });

  test('with a delegated key sign with that key, too', async () => {
    const owner = newOwner();
    await chain.test.setCode({ address: owner.address, bytecode: '0xef01000000000000000000000000000000000000000001' });
    expect(await registerAccount(chain, owner)).toBeGreaterThan(0n);
  });
});

test('hashes and types are those of the signatures', async () => {
  const read = { functionName: 'domainSeparatorV4' } as const;
  const separators = await Promise.all(
    [idRegistry, idGateway, keyRegistry, keyGateway, validator].map(({ address }) =>
      chain.public.readContract({ address, abi: idRegistry.abi, ...read }),
    ),
  );
  expect(new Set(separators).size).toBe(5);
  const domain = await chain.public.readContract({ ...idGateway, functionName: 'eip712Domain' });
  expect(domain).toEqual(['0x0f', 'Farcaster IdGateway', '1', 10n, idGateway.address, `0x${'0'.repeat(64)}`, []]);
  const deadline = 5n;
  const hash = keccak256(
    encodeAbiParameters(
      [{ type: 'bytes32' }, { type: 'address' }, { type: 'address' }, { type: 'uint256' }, { type: 'uint256' }],
      [
        await chain.public.readContract({ ...idGateway, functionName: 'REGISTER_TYPEHASH' }),
        payer,
        zeroAddress,
        7n,
        deadline,
      ],
    ),
  );
  const digest = await chain.public.readContract({ ...idGateway, functionName: 'hashTypedDataV4', args: [hash] });
  const sig = await signRegister(chain.account(0), { recovery: zeroAddress, nonce: 7n, deadline });
  expect(await recoverAddress({ hash: digest, signature: sig })).toBe(payer);
  const request = { requestFid: 3n, requestSigner: payer, signature: '0x1234', deadline } as const;
  const metadata = await chain.public.readContract({ ...validator, functionName: 'encodeMetadata', args: [request] });
  const made = await requestedKey(newKey(), app, deadline);
  expect(metadata.slice(0, 66)).toBe(made.metadata.slice(0, 66));
});
