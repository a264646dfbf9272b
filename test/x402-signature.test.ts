import { randomUUID } from 'node:crypto';
import { PaymentPayloadV1Schema, PaymentPayloadV2Schema } from '@x402/core/schemas';
import { x402ResourceServer } from '@x402/core/server';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/facilitator';
import { type Address, getAddress, recoverTypedDataAddress, zeroAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { someone } from './support/nft.js';
import { mintToken } from './support/token-environment.js';
import {
  facilitatorOf,
  PATH,
  refusal,
  requirement,
  SEPOLIA_USDC,
  startX402Network,
  USDC,
  usdcOf,
  type X402Network,
} from './support/x402.js';

const ONE = 1_000_000n;

let x402: X402Network;

beforeAll(async () => {
  x402 = await startX402Network();
});
afterAll(() => x402.stop());

const types = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

/** Who signed a payment, if it is signed under this domain. */
const signerOf = (
  { payload: { authorization, signature } }: { payload: { authorization: Record<string, string>; signature: string } },
  domain: { name: string; version: string; chainId: number; verifyingContract: Address },
): Promise<Address> => {
  const { from, to, value = '', validAfter = '', validBefore = '', nonce } = authorization;
  return recoverTypedDataAddress({
    domain,
    types,
    primaryType: 'TransferWithAuthorization',
    message: {
      from: from as Address,
      to: to as Address,
      value: BigInt(value),
      validAfter: BigInt(validAfter),
      validBefore: BigInt(validBefore),
      nonce: nonce as Address,
    },
    signature: signature as Address,
  });
};

describe('the public facilitator', () => {
  test('verifies and settles a payment of version 1', async () => {
    const payer = await x402.payerWith(ONE);
    const wanted = requirement({ payTo: someone(1) });
    const answer = await x402.signed(payer, [wanted]);
    expect(PaymentPayloadV1Schema.parse(answer)).toEqual(answer);
    expect(Object.keys(answer)).toEqual(['x402Version', 'scheme', 'network', 'payload']);
    expect(Object.values(answer.payload.authorization).every((value) => typeof value === 'string')).toBe(true);
    const facilitator = new ExactEvmSchemeV1(facilitatorOf(x402.chain));
    expect(await facilitator.verify(answer, wanted as never)).toMatchObject({ isValid: true });
    expect(await facilitator.settle(answer, wanted as never)).toMatchObject({ success: true });
    expect([await usdcOf(x402.chain, payer.wallet.address), await usdcOf(x402.chain, someone(1))]).toEqual([
      990_000n,
      10_000n,
    ]);
    // It is spent.
    expect(await facilitator.verify(answer, wanted as never)).toMatchObject({ isValid: false });
  });

  test('verifies and settles a payment of version 2, whose requirement is that of the server', async () => {
    const payer = await x402.payerWith(ONE);
    const payTo = getAddress('0x4444444444444444444444444444444444444402');
    const extra = { name: 'USD Coin', version: '2', note: { of: ['the server'] } };
    const wanted = {
      scheme: 'exact',
      network: 'eip155:8453',
      amount: '10000',
      asset: USDC,
      payTo,
      maxTimeoutSeconds: 60,
      extra,
    } as const;
    const answer = await x402.signed(payer, [requirement({ payTo, extra })], { version: 2 });
    expect(PaymentPayloadV2Schema.safeParse(answer).success).toBe(true);
    expect(answer.resource).toEqual({
      url: 'https://weather.example/today',
      description: 'The weather of today',
      mimeType: 'application/json',
    });
    expect(new x402ResourceServer().findMatchingRequirements([wanted], answer)).toEqual(wanted);
    const facilitator = new ExactEvmScheme(facilitatorOf(x402.chain, 8));
    expect(await facilitator.verify(answer, wanted)).toMatchObject({ isValid: true });
    expect(await facilitator.settle(answer, wanted)).toMatchObject({ success: true });
    expect(await usdcOf(x402.chain, payTo)).toBe(10_000n);
  });
});

describe('what is signed', () => {
  test('is exactly the amount, from now on for the time of the server', async () => {
    const payer = await x402.payerWith(ONE);
    const before = Math.floor(x402.clock() / 1000);
    const { payload } = await x402.signed(payer, [requirement({ maxTimeoutSeconds: 60.9 })]);
    const { authorization } = payload;
    expect(authorization).toMatchObject({
      from: payer.wallet.address.toLowerCase(),
      to: '0x4444444444444444444444444444444444444444',
      value: '10000',
    });
    const from = Number(authorization.validAfter) + 600;
    expect(from).toBeGreaterThanOrEqual(before);
    expect(Number(authorization.validBefore)).toBe(from + 60);
    const { payload: second } = await x402.signed(payer, [requirement()]);
    expect(second.authorization.nonce).not.toBe(authorization.nonce);
  });

  test('has the chain id and domain of the public network, also where a local chain stands for it', async () => {
    const payer = await x402.payerWith(0n);
    for (const extra of [undefined, null, {}, { name: 'USDC' }, { name: 'USDC', version: '2' }]) {
      const answer = await x402.signed(payer, [requirement({ network: 'base-sepolia', asset: SEPOLIA_USDC, extra })]);
      expect(answer.network).toBe('base-sepolia');
      const domain = { name: 'USDC', version: '2', chainId: 84_532, verifyingContract: SEPOLIA_USDC };
      expect(await signerOf(answer, domain)).toBe(payer.wallet.address);
    }
  });

  test('has the domain that the contract tells, if the server states none', async () => {
    const payer = await x402.payerWith(0n);
    for (const [asset, name, version] of [
      [x402.other, 'Other Coin', '1'],
      [x402.modern, 'Modern Coin', '7'],
    ] as const) {
      await mintToken(x402.chain, asset, payer.wallet.address, 100n);
      const answer = await x402.signed(payer, [requirement({ asset, maxAmountRequired: '100', extra: null })]);
      const domain = { name, version, chainId: 8453, verifyingContract: asset };
      expect(await signerOf(answer, domain)).toBe(payer.wallet.address);
    }
  });

  test.each([
    ['another name for USDC', () => requirement({ extra: { name: 'USDC', version: '2' } })],
    ['another version of USDC', () => requirement({ extra: { name: 'USD Coin', version: '1' } })],
    ['USD Coin on Base Sepolia', () => requirement({ network: 'base-sepolia', asset: SEPOLIA_USDC })],
    ['a name unlike the contract of another token', () => requirement({ asset: x402.other, maxAmountRequired: '1' })],
    [
      'a name unlike ERC-5267',
      () => requirement({ asset: x402.modern, maxAmountRequired: '1', extra: { name: 'Modern Coin', version: '1' } }),
    ],
    ['a token that tells no domain', () => requirement({ asset: x402.silent, maxAmountRequired: '1' })],
    ['no name, and no contract to ask', () => requirement({ asset: x402.silent, maxAmountRequired: '1', extra: null })],
    [
      'no name, and no endpoint to ask',
      () => requirement({ network: 'base-sepolia', asset: x402.distant, maxAmountRequired: '1', extra: null }),
    ],
    ['a name that is no text', () => requirement({ asset: x402.other, maxAmountRequired: '1', extra: { name: 7 } })],
    [
      'a name without end',
      () => requirement({ asset: x402.other, maxAmountRequired: '1', extra: { name: 'x'.repeat(200) } }),
    ],
  ])('is nothing for %s', async (_, made) => {
    expect(refusal(await x402.ask(await x402.payerWith(0n), [made()]))).toEqual([
      400,
      'InvalidField',
      'payment_requirements',
    ]);
  });

  test.each([
    ['no amount', { maxAmountRequired: '' }],
    ['nothing', { maxAmountRequired: '0' }],
    ['a fraction', { maxAmountRequired: '1.5' }],
    ['a negative amount', { maxAmountRequired: '-1' }],
    ['hex digits', { maxAmountRequired: '0x10' }],
    ['an exponent', { maxAmountRequired: '1e3' }],
    ['spaces', { maxAmountRequired: ' 1' }],
    ['2^256', { maxAmountRequired: (2n ** 256n).toString() }],
    ['a unit more than is allowed', { maxAmountRequired: '10000001' }],
    ['more than is allowed of another token', { asset: 'other', maxAmountRequired: '501', extra: null }],
    ['a token that is not allowed', { asset: someone(3) }],
    ['USDC of another network', { network: 'base-sepolia' }],
    ['a wrong checksum', { asset: USDC.replace('fCD', 'fcD') }],
    ['a payee with a wrong checksum', { payTo: SEPOLIA_USDC.replace('CbD', 'cbD') }],
    ['the zero address', { payTo: zeroAddress }],
    ['the token itself', { payTo: USDC }],
    ['the wallet itself', { payTo: 'own' }],
    ['too short a time', { maxTimeoutSeconds: 5.9 }],
    ['too long a time', { maxTimeoutSeconds: 3601 }],
    ['a negative time', { maxTimeoutSeconds: -1 }],
    ['another kind of payment', { extra: { name: 'USD Coin', version: '2', assetTransferMethod: 'permit2' } }],
  ])('is nothing for %s', async (_, more) => {
    const payer = await x402.payerWith(20n * ONE);
    const places: Record<string, string> = { own: payer.wallet.address, other: x402.other };
    const filled = Object.fromEntries(
      Object.entries(more).map(([name, value]) => [name, places[value as string] ?? value]),
    );
    expect(refusal(await x402.ask(payer, [requirement(filled)]))).toEqual([
      400,
      'InvalidField',
      'payment_requirements',
    ]);
  });

  test('may take as much and as long as is allowed', async () => {
    const payer = await x402.payerWith(10n * ONE);
    const most = requirement({ maxAmountRequired: '10000000', maxTimeoutSeconds: 3600.5 });
    const { payload } = await x402.signed(payer, [most]);
    const { validAfter, validBefore } = payload.authorization;
    expect(Number(validBefore) - Number(validAfter)).toBe(4200);
  });

  test.each([
    ['no wallet', {}],
    ['a wallet that is no id', { 'x-wallet-id': 'mine' }],
    ['an unknown wallet', { 'x-wallet-id': randomUUID() }],
  ])('is nothing with %s', async (_, headers) => {
    const body = { payment_requirements: { x402Version: 1, accepts: [requirement()] } };
    expect(refusal(await x402.nft.network.send('POST', PATH, body, headers))).toEqual([
      400,
      expect.any(String),
      'x-wallet-id',
    ]);
  });

  test('is nothing with the wallet of another organization', async () => {
    const { headers } = x402.nft.payer;
    const key = { 'x-api-key': x402.nft.otherAccount.headers['x-api-key'] as string };
    const response = await x402.ask({ ...x402.nft.payer, headers: { ...headers, ...key } }, [requirement()]);
    expect(refusal(response)).toEqual([403, 'Forbidden', 'x-wallet-id']);
  });

  test.each([
    ['no requirements', { payment_requirements: { x402Version: 1, accepts: [] } }],
    [
      '21 requirements',
      { payment_requirements: { x402Version: 1, accepts: Array.from({ length: 21 }, () => requirement()) } },
    ],
    ['another version', { payment_requirements: { x402Version: 3, accepts: [requirement()] } }],
    ['another scheme', { payment_requirements: { x402Version: 1, accepts: [requirement({ scheme: 'upto' })] } }],
    ['another network', { payment_requirements: { x402Version: 1, accepts: [requirement({ network: 'ethereum' })] } }],
    [
      'a number as amount',
      { payment_requirements: { x402Version: 1, accepts: [requirement({ maxAmountRequired: 1 })] } },
    ],
  ])('is nothing for %s', async (_, body) => {
    expect((await x402.nft.network.send('POST', PATH, body, x402.nft.payer.headers)).status).toBe(400);
  });
});

describe('of several requirements', () => {
  test('the first that can be signed is chosen', async () => {
    const payer = await x402.payerWith(ONE);
    const answer = await x402.signed(payer, [
      requirement({ asset: someone(3) }),
      requirement({ extra: { name: 'USD Coin', version: '2', assetTransferMethod: 'erc7710' } }),
      requirement({ maxAmountRequired: '123' }),
      requirement({ maxAmountRequired: '456' }),
    ]);
    expect(answer.payload.authorization.value).toBe('123');
  });

  test('the first is chosen that the balance covers', async () => {
    const payer = await x402.payerWith(500_000n);
    const accepts = [requirement({ maxAmountRequired: '600000' }), requirement({ maxAmountRequired: '400000' })];
    const { payload } = await x402.signed(payer, accepts, { version: 2 });
    expect(payload.authorization.value).toBe('400000');
    expect(refusal(await x402.ask(payer, accepts))).toEqual([400, 'InsufficientFunds', 'payment_requirements']);
  });

  test('one with the same terms but the transfer method permit2 is passed over', async () => {
    const extra = { name: 'USD Coin', version: '2' };
    const accepts = [requirement({ extra: { ...extra, assetTransferMethod: 'permit2' } }), requirement({ extra })];
    expect((await x402.signed(await x402.payerWith(ONE), accepts, { version: 2 })).accepted.extra).toEqual(extra);
  });

  test('one with the wrong domain is passed over', async () => {
    const accepts = [requirement({ extra: { name: 'USDC', version: '2' } }), requirement({ maxAmountRequired: '7' })];
    const { payload } = await x402.signed(await x402.payerWith(ONE), accepts);
    expect(payload.authorization.value).toBe('7');
  });

  test('all faults are named if none is left', async () => {
    const payer = await x402.payerWith(ONE);
    const { body } = await x402.ask(payer, [requirement({ asset: someone(3) }), requirement({ payTo: zeroAddress })]);
    expect(body.message).toMatch(/^payment_requirements\.accepts\[0\]\.asset must be .*\(and 1 more\)$/);
  });
});
