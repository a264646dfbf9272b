import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wallet } from '../src/sample/key.js';
import { derive } from '../src/sample/random.js';
import type { KeyRequester } from '../src/sample/verification-claim.js';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, seedBasics } from './support/seed.js';
import { askOpenly, signInText } from './support/sign-in.js';
import { addKey, removeKey } from './support/signer.js';

const ANN = FIDS.alice;
const BEN = FIDS.bob;
const REQUEST = { siweUri: 'https://app.example/login', domain: 'app.example' };
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

const open = async (changes: object = {}, headers = {}) => {
  const { status, body } = await askOpenly(network, '/v1/channel', { body: { ...REQUEST, ...changes }, headers });
  expect(status).toBe(201);
  return body as { channelToken: string; url: string; connectUri: string; nonce: string };
};
const statusOf = (token: string) => askOpenly(network, '/v1/channel/status', { token });
const authenticate = (token: string, body: object) => askOpenly(network, '/v1/channel/authenticate', { token, body });

type Fields = Parameters<typeof signInText>[3];
/** Signs as a wallet does that was shown the request. */
const sign = async (by: KeyRequester['wallet'], fid: number, nonce: string, fields: Fields = {}) => {
  const message = signInText(by.account.address, fid, nonce, fields);
  return { message, signature: await by.account.signMessage({ message }), fid };
};

describe('a sign-in through the relay', () => {
  test('waits until the wallet has signed, and is read once', async () => {
    const { channelToken: token, url, connectUri, nonce } = await open({ requestId: 'r-1' });
    expect(url).toBe(`${network.config.publicUrl}/siwf?channelToken=${token}`);
    expect(connectUri).toBe(url);
    const waiting = await statusOf(token);
    expect(waiting.status).toBe(202);
    expect(waiting.body).toEqual({
      state: 'pending',
      ...{ nonce, url, acceptAuthAddress: true },
      signatureParams: { ...REQUEST, requestId: 'r-1', nonce, acceptAuthAddress: true },
      metadata: { ip: '127.0.0.1', userAgent: 'node' },
    });
    const signed = await sign(ann, ANN, nonce);
    const answered = await authenticate(token, { ...signed, username: 'mallory', displayName: 'Not Ann' });
    expect(answered.status).toBe(201);
    const done = await statusOf(token);
    expect(done.status).toBe(200);
    expect(done.body).toEqual(answered.body);
    // The profile is that of the account here, not what the wallet says.
    expect(done.body).toMatchObject({
      ...{ state: 'completed', nonce, fid: ANN, authMethod: 'custody', username: 'alice' },
      message: signed.message,
      signature: signed.signature,
      custody: ann.account.address.toLowerCase(),
      verifications: expect.any(Array),
    });
    expect((await statusOf(token)).status).toBe(401);
  });

  test('has its older names', async () => {
    const made = await askOpenly(network, '/v1/connect', { body: REQUEST });
    expect(made.status).toBe(201);
    const { channelToken: token, nonce } = made.body;
    expect((await askOpenly(network, '/v1/connect/status', { token })).status).toBe(202);
    const body = await sign(ann, ANN, nonce, { statement: 'Farcaster Connect' });
    expect((await askOpenly(network, '/v1/connect/authenticate', { token, body })).status).toBe(201);
    expect((await askOpenly(network, '/v1/connect/status', { token })).body.state).toBe('completed');
    expect((await askOpenly(network, '/healthcheck')).status).toBe(200);
  });

  test('may be signed by an auth address, unless the app wants the custody address', async () => {
    const helper = wallet(derive('relay', 'auth address'));
    const key = Buffer.concat([Buffer.alloc(12), helper.address]);
    await addKey(network, ANN, key, { keyType: 2 });
    const { channelToken, nonce } = await open();
    const answered = await authenticate(channelToken, await sign(helper, ANN, nonce));
    expect(answered).toMatchObject({ status: 201, body: { authMethod: 'authAddress', fid: ANN } });
    const strict = await open({ acceptAuthAddress: false });
    const refused = await authenticate(strict.channelToken, await sign(helper, ANN, strict.nonce));
    expect(refused.status).toBe(400);
    expect(refused.body.details).toMatch(/is no custody address of account/);
    await removeKey(network, ANN, key, 2);
    const late = await open();
    expect((await authenticate(late.channelToken, await sign(helper, ANN, late.nonce))).status).toBe(400);
  });

  test('uses the nonce of the app', async () => {
    const { nonce } = await open({ nonce: 'AppNonce12345678' });
    expect(nonce).toBe('AppNonce12345678');
  });
});

describe('what is no answer to a request', () => {
  const refusal = async (change: (nonce: string) => Promise<object>): Promise<string> => {
    const { channelToken, nonce } = await open();
    const { status, body } = await authenticate(channelToken, await change(nonce));
    expect(status).toBe(400);
    expect((await statusOf(channelToken)).status).toBe(202);
    return body.details;
  };

  test.each<[string, Fields, RegExp]>([
    ['another domain', { domain: 'bank.example' }, /domain of message must be app\.example/],
    ['another chain', { chainId: 1 }, /Chain ID/],
    ['another statement', { statement: 'Sign in' }, /statement/],
    ['no account', { resources: [] }, /name one account/],
    ['two accounts', { resources: [`farcaster://fid/${ANN}`, `farcaster://fid/${BEN}`] }, /name one account/],
    ['an expired message', { expirationTime: new Date(Date.now() - 1000) }, /not in force/],
    ['a message of the future', { notBefore: new Date(Date.now() + 3_600_000) }, /not in force/],
  ])('%s', async (_name, fields, expected) => {
    expect(await refusal((nonce) => sign(ann, ANN, nonce, fields))).toMatch(expected);
  });

  test('another nonce, so that a sign-in seen elsewhere cannot be replayed', async () => {
    const other = await open();
    const signed = await sign(ann, ANN, other.nonce);
    expect((await authenticate(other.channelToken, signed)).status).toBe(201);
    expect(await refusal(async () => signed)).toMatch(/nonce of message must be/);
  });

  test('an account of somebody else', async () => {
    expect(await refusal((nonce) => sign(ben, ANN, nonce))).toMatch(/is no custody or auth address of account/);
  });

  test('a signature by somebody else', async () => {
    const forged = async (nonce: string) => ({
      ...(await sign(ann, ANN, nonce)),
      signature: (await sign(ben, ANN, nonce)).signature,
    });
    expect(await refusal(forged)).toMatch(/signature is not by 0x/);
  });

  test('a second answer', async () => {
    const { channelToken, nonce } = await open();
    const [one, two] = await Promise.all([
      authenticate(channelToken, await sign(ann, ANN, nonce)),
      authenticate(channelToken, await sign(ben, BEN, nonce)),
    ]);
    expect([one.status, two.status].sort()).toEqual([201, 409]);
    const winner = one.status === 201 ? ANN : BEN;
    expect((await statusOf(channelToken)).body.fid).toBe(winner);
  });

  test('one that comes too late', async () => {
    const { channelToken, nonce } = await open();
    const signed = await sign(ann, ANN, nonce);
    const before = now;
    now += 16 * 60_000;
    expect((await authenticate(channelToken, signed)).status).toBe(401);
    expect((await statusOf(channelToken)).status).toBe(401);
    await open();
    expect(await network.sql('select 1 from sign_in_request where expires_at < $1', [new Date(now)])).toEqual([]);
    now = before;
  });

  test('one with a token of nobody, or none: the answer is JSON, as the library needs it', async () => {
    for (const token of ['ABCDEFGH', 'x'.repeat(22), undefined]) {
      const { status, body } = await askOpenly(network, '/v1/channel/status', token === undefined ? {} : { token });
      expect([status, typeof body.details]).toEqual([401, 'string']);
    }
  });
});

describe('what no app may ask for', () => {
  test.each([
    ['a domain with markup', { domain: 'app.example<script>alert(1)</script>' }],
    ['a domain with a line', { domain: 'app.example\nbank.example' }],
    ['a URI with a line', { siweUri: 'https://app.example/\nNonce: 1' }],
    ['a short nonce', { nonce: '1234567' }],
    ['a nonce with a line', { nonce: '12345678\nab' }],
    ['a time that is none', { expirationTime: 'tomorrow' }],
    ['a long URI', { siweUri: `https://app.example/${'a'.repeat(3000)}` }],
  ])('%s', async (_name, changes) => {
    const { status, body } = await askOpenly(network, '/v1/channel', { body: { ...REQUEST, ...changes } });
    expect([status, typeof body.details]).toEqual([400, 'string']);
  });

  test('a sign-in at a domain that the operator does not serve', async () => {
    const closed = await startNetwork({ CASTELLAN_SIGN_IN_DOMAINS: 'Own.example, own.example:8443' });
    const ask = (domain: string) => askOpenly(closed, '/v1/channel', { body: { ...REQUEST, domain } });
    expect((await ask('own.example')).status).toBe(201);
    expect((await ask('OWN.example:8443')).status).toBe(201);
    const refused = await ask('app.example');
    expect([refused.status, refused.body.details]).toEqual([400, expect.stringContaining('is not served here')]);
    await closed.stop();
    const off = await startNetwork({ CASTELLAN_SIGN_IN_DOMAINS: 'none' });
    expect((await askOpenly(off, '/v1/channel', { body: REQUEST })).status).toBe(404);
    await off.stop();
  });
});
