import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient, Errors } from '@farcaster/quick-auth';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MasterKey } from '../src/config/secret.js';
import { DAY_MS } from '../src/duration.js';
import type { KeyRequester } from '../src/sample/verification-claim.js';
import { createQuickAuth } from '../src/sign-in/quick-auth.js';
import { recordRun } from './compatibility/record.js';
import { type Network, startNetwork } from './support/network.js';
import { NO_NETWORKS } from './support/no-network.js';
import { FIDS, seedBasics } from './support/seed.js';
import { askOpenly, signInText } from './support/sign-in.js';

const ANN = FIDS.alice;
const DOMAIN = 'app.example';
let network: Network;
let now = Date.now();
let ann: KeyRequester['wallet'];
let ben: KeyRequester['wallet'];

beforeAll(async () => {
  network = await startNetwork({}, undefined, { clock: () => now });
  const people = await seedBasics(network.load);
  ann = people.alice.custody;
  ben = people.bob.custody;
});
afterAll(() => network.stop());

const newNonce = async (): Promise<string> => (await askOpenly(network, '/nonce', { body: {} })).body.nonce;
type Fields = Parameters<typeof signInText>[3];
const signed = async (by: KeyRequester['wallet'], nonce: string, fields: Fields = {}) => {
  const message = signInText(by.account.address, ANN, nonce, fields);
  return { domain: DOMAIN, message, signature: await by.account.signMessage({ message }) };
};
const verify = (body: object) => askOpenly(network, '/verify-siwf', { body });
const claimsOf = (token: string, domain = DOMAIN) =>
  askOpenly(network, `/verify-jwt?${new URLSearchParams({ token, domain })}`);
const newToken = async (): Promise<string> => (await verify(await signed(ann, await newNonce()))).body.token;

describe('Quick Auth', () => {
  test('gives the account that signed a token for the domain, which says so for an hour', async () => {
    const token = await newToken();
    const { status, body } = await claimsOf(token);
    const iat = Math.floor(now / 1000);
    expect([status, body]).toEqual([
      200,
      { iss: network.config.publicUrl, aud: DOMAIN, sub: ANN, iat, exp: iat + 3600 },
    ]);
    const before = now;
    now += 3601_000;
    expect(await claimsOf(token)).toMatchObject({ status: 400, body: { error: 'invalid_token' } });
    now = before;
    expect(await claimsOf(token, 'bank.example')).toMatchObject({ status: 400, body: { error: 'invalid_token' } });
  });

  test('takes a nonce once, also of two requests at once, and for ten minutes', async () => {
    const body = await signed(ann, await newNonce());
    const both = await Promise.all([verify(body), verify(body)]);
    expect(both.map((one) => one.body.valid).sort()).toEqual([false, true]);
    expect((await verify(body)).body).toEqual({ valid: false, message: expect.stringContaining('nonce') });
    const late = await signed(ann, await newNonce());
    const before = now;
    now += 601_000;
    expect((await verify(late)).body.valid).toBe(false);
    now = before;
    expect((await verify(await signed(ann, 'madeup1234567890'))).body.valid).toBe(false);
  });

  test.each<[string, Fields]>([
    ['of another domain', { domain: 'bank.example' }],
    ['of another chain', { chainId: 8453 }],
    ['without an account', { resources: [] }],
    ['of another account', { resources: [`farcaster://fid/${FIDS.bob}`] }],
    ['that has expired', { expirationTime: new Date(Date.now() - 1000) }],
  ])('refuses a message %s, and its nonce stays good', async (_name, fields) => {
    const nonce = await newNonce();
    const { status, body } = await verify(await signed(ann, nonce, fields));
    expect([status, body.valid, typeof body.message]).toEqual([200, false, 'string']);
    expect((await verify(await signed(ann, nonce))).body.valid).toBe(true);
  });

  test('refuses the signature of somebody else', async () => {
    const nonce = await newNonce();
    const { message } = await signed(ann, nonce);
    const signature = await ben.account.signMessage({ message });
    expect((await verify({ domain: DOMAIN, message, signature })).body.valid).toBe(false);
    for (const broken of ['0x', 'abc', `0x${'00'.repeat(65)}`, `0x${'ff'.repeat(9000)}`])
      expect((await verify({ domain: DOMAIN, message, signature: broken })).body.valid).toBe(false);
  });

  test('changes its key every month, and keeps the one before for the tokens that it signed', async () => {
    const keysNow = async () => (await askOpenly(network, '/.well-known/jwks.json')).body.keys;
    const before = now;
    // The last hour of a period.
    now = (Math.floor(now / (30 * DAY_MS)) + 1) * 30 * DAY_MS - 60_000;
    const token = await newToken();
    const [first] = await keysNow();
    expect(first).toMatchObject({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' });
    expect(first.d).toBeUndefined();
    now += 120_000;
    const keys = await keysNow();
    expect(keys[0].kid).not.toBe(first.kid);
    expect(keys).toContainEqual(first);
    expect((await claimsOf(token)).status).toBe(200);
    now += 30 * DAY_MS;
    expect(await keysNow()).not.toContainEqual(first);
    now = before;
  });

  test('refuses tokens that it has not signed', async () => {
    const token = await newToken();
    const [, payload = ''] = token.split('.');
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const foreign = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.alloc(32, 1));
    for (const bad of [none, foreign, `${token}x`, 'x', '.'.repeat(5000)])
      expect(await claimsOf(bad)).toMatchObject({ status: 400, body: { error: 'invalid_token' } });
    expect(await askOpenly(network, '/verify-jwt')).toMatchObject({ status: 400, body: { error: 'invalid_params' } });
  });
});

test('tokens of a former master key are valid while it is configured', async () => {
  const [former, current] = [0, 1].map(() => MasterKey.parse(MasterKey.generate()) as MasterKey) as [
    MasterKey,
    MasterKey,
  ];
  const { db } = network.app.core;
  const { publicUrl } = network.config;
  const serviceOf = (masterKey: MasterKey) =>
    createQuickAuth({ db, networks: NO_NETWORKS, clock: () => now, publicUrl, masterKey });
  const before = serviceOf(former);
  const token = await before.signIn(await signed(ann, await before.createNonce()), DOMAIN);
  expect(await serviceOf(current.following(former)).verify(token, DOMAIN)).toMatchObject({ sub: ANN, aud: DOMAIN });
  await expect(serviceOf(current).verify(token, DOMAIN)).rejects.toThrow();
});

test('the public client of Quick Auth signs in and verifies, with this service as its origin', async () => {
  // The issuer is the public address, so the client must reach the service there.
  const front = createServer((request, response) => {
    const onward = forward(`${service.url}${request.url}`, { method: request.method, headers: request.headers });
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  await new Promise<void>((done) => front.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  const service = await startNetwork({ PUBLIC_URL: origin });
  const { alice } = await seedBasics(service.load);
  const client = createClient({ origin });
  const { nonce } = await client.generateNonce();
  const message = signInText(alice.custody.account.address, ANN, nonce);
  const signature = await alice.custody.account.signMessage({ message });
  const { token } = await client.verifySiwf({ domain: DOMAIN, message, signature });
  const claims = await client.verifyJwt({ token, domain: DOMAIN });
  expect(claims).toMatchObject({ sub: ANN, aud: DOMAIN, iss: origin });
  await expect(client.verifyJwt({ token, domain: 'bank.example' })).rejects.toThrow(Errors.InvalidTokenError);
  await expect(client.verifySiwf({ domain: DOMAIN, message, signature })).rejects.toThrow(Errors.InvalidSiwfError);
  recordRun('@farcaster/quick-auth', { generateNonce: true, verifySiwf: true, verifyJwt: true });
  front.close();
  await service.stop();
});
