import { randomUUID } from 'node:crypto';
import { parseSIWxHeader, validateSIWxMessage, verifySIWxSignature } from '@x402/extensions/sign-in-with-x';
import { type Address, hashTypedData, recoverAddress } from 'viem';
import { parseSiweMessage } from 'viem/siwe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_ORGANIZATION_ID } from '../src/access/key.js';
import { loadConfig } from '../src/config/config.js';
import { createLog } from '../src/log.js';
import { makeWallet } from '../src/onchain/transaction/wallet.js';
import { checkResource } from '../src/onchain/x402/sign-in.js';
import { type Network, startNetwork } from './support/network.js';
import { requirement, USDC } from './support/x402.js';

const PATH = '/v2/signature/x402/siwx';

/** A service without endpoints: a sign-in needs no chain. */
let network: Network;
let wallet: { readonly id: string; readonly address: Address };
const lines: string[] = [];

beforeAll(async () => {
  // Nothing listens there: it stands for every network.
  const chain = 'http://127.0.0.1:9';
  network = await startNetwork({}, createLog('trace', { write: (line) => lines.push(line) }), { chain });
  wallet = await makeWallet(network.app.core.db, network.config.masterKey, {
    organizationId: DEFAULT_ORGANIZATION_ID,
    name: 'visitor',
    now: new Date(),
  });
});
afterAll(() => network.stop());

const ask = (body: unknown, headers: Record<string, string> = { 'x-wallet-id': wallet.id }) =>
  network.send('POST', PATH, body, headers);

interface SignedIn {
  readonly address: string;
  readonly message: string;
  readonly signature: string;
  readonly timestamp: number;
  readonly chainId: number;
}

const signedIn = async (body: unknown): Promise<SignedIn> => {
  const answer = await ask(body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};

/** The header SIGN-IN-WITH-X that a client makes of an answer. */
const headerOf = ({ address, message, signature, chainId }: SignedIn): string => {
  const { domain, uri, version, nonce, issuedAt, expirationTime } = parseSiweMessage(message);
  const payload = {
    ...{ domain, address, uri, version, nonce, signature, type: 'eip191', chainId: `eip155:${chainId}` },
    issuedAt: issuedAt?.toISOString(),
    expirationTime: expirationTime?.toISOString(),
  };
  return Buffer.from(JSON.stringify(payload)).toString('base64');
};

describe('the public verifier', () => {
  test.each([
    ['https://weather.example/today?of=Oslo', undefined],
    ['https://weather.example:8443/today', 84_532],
    ['https://weather.example', 8453],
    ['https://WEATHER.example:443/a/../b', 8453],
    ['https://127.0.0.1:8443/today', 8453],
    ['http://localhost:4021/today', 8453],
    ['http://127.0.0.1:4021/today', 8453],
  ])('signs in at %s', async (resource, chainId) => {
    const answer = await signedIn({ resource, ...(chainId !== undefined && { chainId }) });
    expect(answer.chainId).toBe(chainId ?? 8453);
    expect(answer.address).toBe(wallet.address.toLowerCase());
    const payload = parseSIWxHeader(headerOf(answer));
    expect(payload.chainId).toBe(`eip155:${chainId ?? 8453}`);
    expect(await validateSIWxMessage(payload, new URL(resource))).toEqual({ isValid: true });
    expect(await verifySIWxSignature(payload)).toMatchObject({ isValid: true });
  });

  test('finds no sign-in signature in the log', async () => {
    const { signature } = await signedIn({ resource: 'https://weather.example/today' });
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join('')).not.toContain(signature.slice(2, 42));
  });

  test('refuses it at another site, and for another wallet', async () => {
    const payload = parseSIWxHeader(headerOf(await signedIn({ resource: 'https://weather.example/today' })));
    for (const site of ['https://other.example', 'https://weather.example:8443', 'http://weather.example']) {
      expect(await validateSIWxMessage(payload, new URL(site))).toMatchObject({ isValid: false });
    }
    const address = '0x4444444444444444444444444444444444444444';
    expect(await verifySIWxSignature({ ...payload, address })).toMatchObject({ isValid: false });
  });
});

test('the message says when it was issued, and is valid for five minutes', async () => {
  const before = Date.now();
  const { message, timestamp } = await signedIn({ resource: 'https://weather.example/today' });
  const { issuedAt, expirationTime, nonce, statement, address } = parseSiweMessage(message);
  expect(issuedAt?.getTime()).toBe(timestamp);
  expect(timestamp % 1000).toBe(0);
  expect(timestamp).toBeGreaterThan(before - 1000);
  expect(timestamp).toBeLessThanOrEqual(Date.now());
  expect((expirationTime?.getTime() ?? 0) - timestamp).toBe(300_000);
  expect([nonce?.length, statement, address]).toEqual([32, undefined, wallet.address]);
  const { message: next } = await signedIn({ resource: 'https://weather.example/today' });
  expect(parseSiweMessage(next).nonce).not.toBe(nonce);
});

test.each([
  ['no resource', {}],
  ['a path', { resource: '/today' }],
  ['http', { resource: 'http://weather.example/today' }],
  ['http on a host that only begins like this machine', { resource: 'http://localhost.example/' }],
  ['http on a private network', { resource: 'http://10.0.0.1/' }],
  ['another scheme', { resource: 'javascript:alert(1)' }],
  ['a file', { resource: 'file:///etc/passwd' }],
  ['a user', { resource: 'https://weather.example@evil.example/' }],
  ['a password', { resource: 'https://a:b@weather.example/' }],
  ['a fragment', { resource: 'https://weather.example/#a' }],
  ['an empty fragment', { resource: 'https://weather.example/#' }],
  ['a line break', { resource: 'https://weather.example/\nURI: https://bank.example' }],
  ['a carriage return', { resource: 'https://weather.example/\r' }],
  ['a tab in the host', { resource: 'https://weather\t.example/' }],
  ['a NUL', { resource: 'https://weather.example/\0' }],
  ['spaces around', { resource: ' https://weather.example/ ' }],
  ['other letters than ASCII', { resource: 'https://wéather.example/' }],
  ['a URL that is too long', { resource: `https://weather.example/${'a'.repeat(2048)}` }],
  ['an IPv6 address', { resource: 'https://[::1]:8443/' }],
  ['a number', { resource: 1 }],
  ['another chain', { resource: 'https://weather.example/', chainId: 1 }],
  ['the local chain', { resource: 'https://weather.example/', chainId: 31_337 }],
])('nothing is signed for %s', async (_, body) => {
  const { status, body: answer } = await ask(body);
  expect([status, answer.code]).toEqual([400, 'InvalidField']);
});

test.each([
  ['no wallet', {}, 400],
  ['an unknown wallet', { 'x-wallet-id': randomUUID() }, 400],
])('nothing is signed with %s', async (_, headers, status) => {
  const answer = await ask({ resource: 'https://weather.example/' }, headers);
  expect([answer.status, answer.body.property]).toEqual([status, 'x-wallet-id']);
});

test('only development signs in over http, at this machine', () => {
  for (const resource of ['http://localhost:4021/', 'http://127.0.0.1/']) {
    expect(checkResource(resource, true).href).toBe(resource);
    expect(() => checkResource(resource, false)).toThrow('https://');
  }
});

test.each(['\n', '\r', '\t', '\0', ' ', '\u2028', '\u00e9'])('a URL with %j is refused, not cleaned', (character) => {
  expect(() => checkResource(`https://weather.example/${character}`, false)).toThrow('resource must be');
  expect(() => checkResource(`${character}https://weather.example/`, false)).toThrow('resource must be');
});

test('sign-ins are recorded without their signatures', async () => {
  const { message, signature } = await signedIn({ resource: 'https://weather.example/recorded' });
  const rows = await network.sql('select * from x402_sign_in where nonce = $1', [
    parseSiweMessage(message).nonce ?? '',
  ]);
  expect(rows).toMatchObject([{ wallet_id: wallet.id, chain_id: 8453, resource: 'https://weather.example/recorded' }]);
  expect(JSON.stringify(rows)).not.toContain(signature.slice(2, 42));
});

describe('in development', () => {
  test('a payment has the chain id of Base, although a local chain stands for it', async () => {
    const { status, body } = await network.send(
      'POST',
      '/v2/signature/x402/',
      { payment_requirements: { x402Version: 1, accepts: [requirement()] } },
      { 'x-wallet-id': wallet.id },
    );
    expect(status).toBe(200);
    const { authorization, signature } = body.payload;
    const hash = hashTypedData({
      domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: USDC },
      types: {
        TransferWithAuthorization: [
          { name: 'from', type: 'address' },
          { name: 'to', type: 'address' },
          { name: 'value', type: 'uint256' },
          { name: 'validAfter', type: 'uint256' },
          { name: 'validBefore', type: 'uint256' },
          { name: 'nonce', type: 'bytes32' },
        ],
      },
      primaryType: 'TransferWithAuthorization',
      message: authorization,
    });
    expect(await recoverAddress({ hash, signature })).toBe(wallet.address);
    // Whoever reads the log must not be able to collect the payment.
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join('')).not.toContain(signature.slice(2, 42));
  });
});

describe('the limits', () => {
  const settings = (environment: Record<string, string>) =>
    loadConfig('dev', { CASTELLAN_DATA_DIR: network.config.dataDir, ...environment }).x402;

  test('are 10 USDC for a payment and 100 for a day', () => {
    expect(settings({})).toEqual({ maxPayment: '10000000', maxPerDay: '100000000', assets: [] });
  });

  test('are read as USDC, those of other tokens in their smallest unit', () => {
    const address = '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42';
    expect(
      settings({
        CASTELLAN_X402_MAX_PAYMENT: '0.05',
        CASTELLAN_X402_MAX_PER_DAY: '0',
        CASTELLAN_X402_ASSETS: `eip155:8453/erc20:${address}=5:70, eip155:84532/erc20:${address.toLowerCase()}=1:2`,
      }),
    ).toEqual({
      maxPayment: '50000',
      maxPerDay: '0',
      assets: [
        { network: 'base', address: address.toLowerCase(), maxPayment: '5', maxPerDay: '70' },
        { network: 'base-sepolia', address: address.toLowerCase(), maxPayment: '1', maxPerDay: '2' },
      ],
    });
  });

  test.each([
    { CASTELLAN_X402_MAX_PAYMENT: '-1' },
    { CASTELLAN_X402_MAX_PAYMENT: '0.0000001' },
    { CASTELLAN_X402_MAX_PER_DAY: 'none' },
    { CASTELLAN_X402_ASSETS: '0x60a3e35cc302bfa44cb288bc5a4f316fdb1adb42' },
    { CASTELLAN_X402_ASSETS: 'eip155:1/erc20:0x60a3e35cc302bfa44cb288bc5a4f316fdb1adb42=1:1' },
    { CASTELLAN_X402_ASSETS: 'eip155:8453/erc20:0x60a3e35cc302bfa44cb288bc5a4f316fdb1adb42' },
    { CASTELLAN_X402_ASSETS: 'eip155:8453/erc20:0x60A3e35cc302bfa44cb288bc5a4f316fdb1adb42=1:1' },
    {
      CASTELLAN_X402_ASSETS:
        'eip155:8453/erc20:0x60a3e35cc302bfa44cb288bc5a4f316fdb1adb42=1:1,eip155:8453/erc20:0x60a3e35cc302bfa44cb288bc5a4f316fdb1adb42=2:2',
    },
  ])('are no %o', (environment) => {
    expect(() => settings(environment)).toThrow(Object.keys(environment)[0]);
  });
});
