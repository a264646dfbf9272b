import { type Address, encodeFunctionData, type Hex, type LocalAccount, parseEventLogs, zeroAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { TestChain } from './support/chain.js';
import {
  fidOf,
  inAnHour,
  nonceOf,
  REGISTRY,
  registerAccount,
  revertOf,
  sendFrom,
  signChangeRecovery,
  signRegister,
  signTransfer,
  signTransferAndChangeRecovery,
  startRegistryChain,
  whilePaused,
} from './support/registry.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let chain: TestChain;
let payer: Address;
beforeAll(async () => {
  chain = await startRegistryChain();
  payer = chain.account(0).address;
});
afterAll(() => chain.stop());

const newOwner = (): LocalAccount => privateKeyToAccount(generatePrivateKey());
const RECOVERY: Address = '0x1111111111111111111111111111111111111111';
const { idRegistry, idGateway, bundler, storageRegistry } = REGISTRY;

const custodyOf = (fid: bigint) => chain.public.readContract({ ...idRegistry, functionName: 'custodyOf', args: [fid] });
const recoveryOf = (fid: bigint) =>
  chain.public.readContract({ ...idRegistry, functionName: 'recoveryOf', args: [fid] });
const counter = () => chain.public.readContract({ ...idRegistry, functionName: 'idCounter' });
const price = (extra: bigint) => chain.public.readContract({ ...idGateway, functionName: 'price', args: [extra] });
const past = async () => BigInt(await chain.now()) - 1n;

describe('registration', () => {
  const simulate = async (
    to: LocalAccount,
    { deadline, sig, value }: { deadline?: bigint; sig?: Hex; value?: bigint } = {},
  ) => {
    const until = deadline ?? (await inAnHour(chain));
    const nonce = await nonceOf(chain, 'idGateway', to.address);
    const signature = sig ?? (await signRegister(to, { recovery: RECOVERY, nonce, deadline: until }));
    return chain.public.simulateContract({
      ...idGateway,
      functionName: 'registerFor',
      args: [to.address, RECOVERY, until, signature, 0n],
      value: value ?? (await price(0n)),
      account: payer,
    });
  };

  test('by the owner, with extra storage; what was paid too much is given back', async () => {
    const account = chain.account(1);
    const [before, cost, last] = await Promise.all([
      chain.public.getBalance({ address: account.address }),
      price(2n),
      counter(),
    ]);
    const call = { ...idGateway, functionName: 'register', args: [RECOVERY, 2n], value: cost + 12_345n } as const;
    const receipt = await chain.receipt(chain.wallet.writeContract({ ...call, account }));
    const fee = receipt.gasUsed * receipt.effectiveGasPrice;
    const fid = last + 1n;
    const left = before - cost - fee - (await chain.public.getBalance({ address: account.address }));
    expect(left).toBe(0n);
    expect([await fidOf(chain, account.address), await custodyOf(fid), await recoveryOf(fid), await counter()]).toEqual(
      [fid, account.address, RECOVERY, fid],
    );
    expect(parseEventLogs({ abi: idRegistry.abi, logs: receipt.logs, eventName: 'Register' })[0]).toMatchObject({
      address: idRegistry.address.toLowerCase(),
      args: { to: account.address, id: fid, recovery: RECOVERY },
    });
    expect(parseEventLogs({ abi: storageRegistry.abi, logs: receipt.logs, eventName: 'Rent' })[0]).toMatchObject({
      address: storageRegistry.address.toLowerCase(),
      args: { payer: idGateway.address, fid, units: 3n },
    });
    expect(await revertOf(chain.public.simulateContract({ ...call, account })), 'an address has one account').toBe(
      'HasId',
    );
  });

  test('for another by its signature, once', async () => {
    const to = newOwner();
    const deadline = await inAnHour(chain);
    const sig = await signRegister(to, { recovery: RECOVERY, nonce: 0n, deadline });
    const { request, result } = await simulate(to, { deadline, sig, value: (await price(0n)) + 7n });
    expect(result).toEqual([(await counter()) + 1n, 7n]);
    await chain.receipt(chain.wallet.writeContract({ ...request, account: chain.account(0) }));
    expect(await fidOf(chain, to.address)).toBe(result[0]);
    expect(await nonceOf(chain, 'idGateway', to.address)).toBe(1n);
    expect(await revertOf(simulate(to, { deadline, sig })), 'the nonce is used').toBe('InvalidSignature');
    expect(await revertOf(simulate(to)), 'a new signature').toBe('HasId');
  });

  test('price of the first unit and of extra ones', async () => {
    const unit = await chain.public.readContract({ ...storageRegistry, functionName: 'unitPrice' });
    expect(await chain.public.readContract({ ...idGateway, functionName: 'price' })).toBe(unit);
    expect(await price(0n)).toBe(unit);
    expect(await price(9n)).toBe(
      await chain.public.readContract({ ...storageRegistry, functionName: 'price', args: [10n] }),
    );
    expect(await chain.public.readContract({ ...bundler, functionName: 'price', args: [9n] })).toBe(await price(9n));
    expect(unit > 10n ** 12n && unit < 10n ** 16n).toBe(true);
  });

  test('is refused', async () => {
    const to = newOwner();
    const deadline = await inAnHour(chain);
    const signed = { recovery: RECOVERY, nonce: 0n, deadline };
    const expired = await past();
    expect(await revertOf(simulate(to, { deadline: expired }))).toBe('SignatureExpired');
    // A deadline is checked before the signature.
    expect(await revertOf(simulate(to, { deadline: expired, sig: '0x' }))).toBe('SignatureExpired');
    expect(await revertOf(simulate(to, { sig: '0x' }))).toBe('InvalidSignature');
    expect(await revertOf(simulate(to, { sig: `0x${'11'.repeat(65)}` }))).toBe('InvalidSignature');
    expect(await revertOf(simulate(to, { deadline, sig: await signRegister(newOwner(), signed) }))).toBe(
      'InvalidSignature',
    );
    for (const wrong of [{ nonce: 1n }, { recovery: to.address }, { deadline: deadline + 1n }]) {
      const sig = await signRegister(to, { ...signed, ...wrong });
      expect(await revertOf(simulate(to, { deadline, sig }))).toBe('InvalidSignature');
    }
    expect(await revertOf(simulate(to, { value: (await price(0n)) - 1n }))).toBe('InvalidPayment');
    const direct = { ...idRegistry, functionName: 'register', args: [to.address, RECOVERY], account: payer } as const;
    expect(await revertOf(chain.public.simulateContract(direct))).toBe('Unauthorized');
    await whilePaused(chain, 'idGateway', async () => {
      expect(await revertOf(simulate(to))).toBe('Error(Pausable: paused)');
    });
    await whilePaused(chain, 'idRegistry', async () => {
      expect(await revertOf(simulate(to))).toBe('Error(Pausable: paused)');
    });
    const pause = { ...idGateway, functionName: 'pause', account: payer } as const;
    expect(await revertOf(chain.public.simulateContract(pause))).toBe('OnlyGuardian');
    await expect(
      chain.wallet.sendTransaction({ account: chain.account(0), to: idGateway.address, value: 1n }),
      'a gift',
    ).rejects.toThrow();
    await simulate(to);
  });
});

describe('transfer', () => {
  /** Two owners, the first with an account. */
  const pair = async () => {
    const [from, to] = [newOwner(), newOwner()];
    const fid = await registerAccount(chain, from, RECOVERY);
    const deadline = await inAnHour(chain);
    return { from, to, fid, deadline, message: { fid, to: to.address, nonce: 0n, deadline } };
  };

  test('by the owner, and with both signatures by anybody; recovery stays', async () => {
    const { from, to, fid, deadline, message } = await pair();
    const last = newOwner();
    const data = encodeFunctionData({
      ...idRegistry,
      functionName: 'transfer',
      args: [to.address, deadline, await signTransfer(to, message)],
    });
    const receipt = await sendFrom(chain, from.address, { to: idRegistry.address, data });
    expect(parseEventLogs({ abi: idRegistry.abi, logs: receipt.logs })).toMatchObject([
      { eventName: 'Transfer', args: { from: from.address, to: to.address, id: fid } },
    ]);
    expect([await fidOf(chain, from.address), await fidOf(chain, to.address)]).toEqual([0n, fid]);

    const onward = { fid, to: last.address, deadline };
    const sigs = [
      await signTransfer(to, { ...onward, nonce: await nonceOf(chain, 'idRegistry', to.address) }),
      await signTransfer(last, { ...onward, nonce: 0n }),
    ] as const;
    const args = [to.address, last.address, deadline, sigs[0], deadline, sigs[1]] as const;
    const call = { ...idRegistry, functionName: 'transferFor', args, account: chain.account(0) } as const;
    await chain.receipt(chain.wallet.writeContract(call));
    expect([await fidOf(chain, to.address), await custodyOf(fid)]).toEqual([0n, last.address]);
    expect(await recoveryOf(fid)).toBe(RECOVERY);
    expect(await nonceOf(chain, 'idRegistry', to.address)).toBe(2n);
    expect(await revertOf(chain.public.simulateContract(call))).toBe('HasNoId');
  });

  test('with a new recovery address', async () => {
    const { from, to, fid, deadline, message } = await pair();
    const recovery = newOwner().address;
    const [fromSig, toSig] = [
      await signTransferAndChangeRecovery(from, { ...message, recovery }),
      await signTransferAndChangeRecovery(to, { ...message, recovery }),
    ];
    const args = [from.address, to.address, recovery, deadline, fromSig, deadline, toSig] as const;
    const call = { ...idRegistry, functionName: 'transferAndChangeRecoveryFor', args } as const;
    const receipt = await chain.receipt(chain.wallet.writeContract({ ...call, account: chain.account(0) }));
    expect(parseEventLogs({ abi: idRegistry.abi, logs: receipt.logs })).toMatchObject([
      { eventName: 'Transfer' },
      { eventName: 'ChangeRecoveryAddress', args: { id: fid, recovery } },
    ]);
    expect([await custodyOf(fid), await recoveryOf(fid)]).toEqual([to.address, recovery]);

    const last = newOwner();
    const sig = await signTransferAndChangeRecovery(last, { ...message, to: last.address, recovery: RECOVERY });
    const data = encodeFunctionData({
      ...idRegistry,
      functionName: 'transferAndChangeRecovery',
      args: [last.address, RECOVERY, deadline, sig],
    });
    await sendFrom(chain, to.address, { to: idRegistry.address, data });
    expect([await custodyOf(fid), await recoveryOf(fid)]).toEqual([last.address, RECOVERY]);
  });

  test('is refused', async () => {
    const { from, to, deadline, message, fid } = await pair();
    const other = newOwner();
    await registerAccount(chain, other);
    const good = [await signTransfer(from, message), await signTransfer(to, message)] as const;
    const simulate = (target: Address, fromDeadline: bigint, fromSig: Hex, toDeadline: bigint, toSig: Hex) => {
      const args = [from.address, target, fromDeadline, fromSig, toDeadline, toSig] as const;
      return chain.public.simulateContract({ ...idRegistry, functionName: 'transferFor', args, account: payer });
    };
    expect(await revertOf(simulate(other.address, deadline, '0x', deadline, '0x'))).toBe('HasId');
    const expired = await past();
    expect(await revertOf(simulate(to.address, expired, good[0], deadline, good[1]))).toBe('SignatureExpired');
    expect(await revertOf(simulate(to.address, deadline, good[0], expired, good[1]))).toBe('SignatureExpired');
    expect(await revertOf(simulate(to.address, deadline, good[1], deadline, good[0]))).toBe('InvalidSignature');
    expect(await revertOf(simulate(to.address, deadline, good[0], deadline, '0x'))).toBe('InvalidSignature');
    const wrongFid = await signTransfer(to, { ...message, fid: fid + 1n });
    expect(await revertOf(simulate(to.address, deadline, good[0], deadline, wrongFid))).toBe('InvalidSignature');
    await whilePaused(chain, 'idRegistry', async () => {
      expect(await revertOf(simulate(to.address, deadline, good[0], deadline, good[1]))).toBe(
        'Error(Pausable: paused)',
      );
      expect(await revertOf(simulate(to.address, deadline, good[0], deadline, '0x'))).toBe('InvalidSignature');
    });
    await simulate(to.address, deadline, ...[good[0], deadline, good[1]]);
  });
});

describe('recovery', () => {
  test('changes by the owner and by its signature, and recovers', async () => {
    const [owner, recovery, to] = [newOwner(), newOwner(), newOwner()];
    const fid = await registerAccount(chain, owner);
    const deadline = await inAnHour(chain);
    const nobody = { ...idRegistry, functionName: 'changeRecoveryAddress', args: [RECOVERY] } as const;
    expect(await revertOf(chain.public.simulateContract({ ...nobody, account: to.address }))).toBe('HasNoId');
    const data = encodeFunctionData(nobody);
    const changed = await sendFrom(chain, owner.address, { to: idRegistry.address, data });
    expect(parseEventLogs({ abi: idRegistry.abi, logs: changed.logs })).toMatchObject([
      { eventName: 'ChangeRecoveryAddress', args: { id: fid, recovery: RECOVERY } },
    ]);

    const message = { fid, from: RECOVERY, to: recovery.address, nonce: 0n, deadline };
    const change = (sig: Hex) => ({
      ...idRegistry,
      functionName: 'changeRecoveryAddressFor' as const,
      args: [owner.address, recovery.address, deadline, sig] as const,
      account: chain.account(0),
    });
    const stale = await signChangeRecovery(owner, { ...message, from: zeroAddress });
    expect(await revertOf(chain.public.simulateContract(change(stale)))).toBe('InvalidSignature');
    await chain.receipt(chain.wallet.writeContract(change(await signChangeRecovery(owner, message))));
    expect(await recoveryOf(fid)).toBe(recovery.address);

    const sig = await signTransfer(to, { fid, to: to.address, nonce: 0n, deadline });
    const recover = {
      ...idRegistry,
      functionName: 'recover',
      args: [owner.address, to.address, deadline, sig],
    } as const;
    expect(await revertOf(chain.public.simulateContract({ ...recover, account: payer }))).toBe('Unauthorized');
    const receipt = await sendFrom(chain, recovery.address, {
      to: idRegistry.address,
      data: encodeFunctionData(recover),
    });
    expect(parseEventLogs({ abi: idRegistry.abi, logs: receipt.logs })).toMatchObject([
      { eventName: 'Recover', args: { from: owner.address, to: to.address, id: fid } },
      { eventName: 'Transfer', args: { from: owner.address, to: to.address, id: fid } },
    ]);
    expect(await custodyOf(fid)).toBe(to.address);

    const last = newOwner();
    const again = { fid, to: last.address, nonce: 0n, deadline };
    const sigs = [await signTransfer(recovery, again), await signTransfer(last, again)] as const;
    const args = [to.address, last.address, deadline, sigs[0], deadline, sigs[1]] as const;
    const call = { ...idRegistry, functionName: 'recoverFor', args, account: chain.account(0) } as const;
    await chain.receipt(chain.wallet.writeContract(call));
    expect(await custodyOf(fid)).toBe(last.address);
    expect(await revertOf(chain.public.simulateContract(call))).toBe('HasNoId');
  });

  test('verifies signatures of accounts', async () => {
    const [owner, digest] = [newOwner(), `0x${'ab'.repeat(32)}` as const];
    const fid = await registerAccount(chain, owner);
    const sig = await (owner as ReturnType<typeof privateKeyToAccount>).sign({ hash: digest });
    const verify = (id: bigint, hash: Hex) =>
      chain.public.readContract({
        ...idRegistry,
        functionName: 'verifyFidSignature',
        args: [owner.address, id, hash, sig],
      });
    expect([
      await verify(fid, digest),
      await verify(fid + 1n, digest),
      await verify(fid, `0x${'cd'.repeat(32)}`),
    ]).toEqual([true, false, false]);
  });
});
