import { createSiweMessage } from 'viem/siwe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeApp } from '../src/access/app.js';
import { wallet } from '../src/sample/key.js';
import { derive } from '../src/sample/random.js';
import type { KeyRequester } from '../src/sample/verification-claim.js';
import { createSecondApp } from './support/app.js';
import { type Network, startNetwork } from './support/network.js';
import { addKey, approvedSigner, registerAccount, removeKey } from './support/signer.js';

const ANN = 101;
const BEN = 102;
let network: Network;
let ann: KeyRequester['wallet'];
let ben: KeyRequester['wallet'];

beforeAll(async () => {
  network = await startNetwork();
  ann = await registerAccount(network, ANN);
  ben = await registerAccount(network, BEN);
});
afterAll(() => network.stop());

const generateNonce = async (headers = {}): Promise<string> => {
  const { status, body } = await network.get('/v2/social/login/nonce/', headers);
  expect(status).toBe(200);
  return body.nonce;
};

type Fields = Partial<Parameters<typeof createSiweMessage>[0]>;
const messageOf = (by: KeyRequester['wallet'], nonce: string, fields: Fields = {}): string =>
  createSiweMessage({
    address: by.account.address,
    chainId: 10,
    domain: 'app.example',
    nonce,
    uri: 'https://app.example/login',
    version: '1',
    statement: 'Farcaster Auth',
    ...fields,
  });

const list = (message: string, signature: string, headers = {}) =>
  network.get(`/v2/social/signer/list/?${new URLSearchParams({ message, signature })}`, headers);

const signIn = async (by: KeyRequester['wallet'], fields: Fields = {}) => {
  const message = messageOf(by, await generateNonce(), fields);
  return list(message, await by.account.signMessage({ message }));
};

const uuids = (answer: { body: { signers: { signer_uuid: string }[] } }) =>
  answer.body.signers.map(({ signer_uuid: uuid }) => uuid);

describe('the list of signers', () => {
  it("shows the signers of the address's account within the app", async () => {
    const first = await approvedSigner(network, ANN);
    const second = await approvedSigner(network, ANN);
    const foreign = await approvedSigner(network, BEN);
    await network.send('POST', '/v2/social/signer/', undefined);
    await removeKey(network, ANN, second.publicKey);
    const answer = await signIn(ann);
    expect(answer.body.signers).toMatchObject([
      { signer_uuid: first.uuid, status: 'approved', fid: ANN },
      { signer_uuid: second.uuid, status: 'revoked', fid: ANN },
    ]);
    expect(uuids(await signIn(ben))).toEqual([foreign.uuid]);
    const other = (await createSecondApp(network)).headers;
    const message = messageOf(ann, await generateNonce(other));
    expect(uuids(await list(message, await ann.account.signMessage({ message }), other))).toEqual([]);
    // Whoever registers the public key of somebody's signer does not get to see it.
    await addKey(network, BEN, first.publicKey);
    expect(uuids(await signIn(ben))).toEqual([foreign.uuid]);
  });

  it('is open to auth addresses while they are approved, and limited to the account in the message', async () => {
    const helper = wallet(derive('sign in', 'auth address'));
    const key = Buffer.concat([Buffer.alloc(12), helper.address]);
    expect(uuids(await signIn(helper))).toEqual([]);
    await addKey(network, BEN, key, { keyType: 2 });
    const seen = uuids(await signIn(helper));
    expect(seen).toHaveLength(1);
    expect(uuids(await signIn(helper, { resources: [`farcaster://fid/${BEN}`] }))).toEqual(seen);
    expect(uuids(await signIn(helper, { resources: [`farcaster://fid/${ANN}`] }))).toEqual([]);
    await removeKey(network, BEN, key, 2);
    expect(uuids(await signIn(helper))).toEqual([]);
  });
});

describe('the domain of a message', () => {
  const changeDomains = (appId: string, signInDomains: readonly string[]) =>
    changeApp(network.app.core.db, { id: appId, signInDomains, now: new Date() });

  it("must be one of the app's, once it lists any", async () => {
    const { id, headers } = await createSecondApp(network);
    const signInto = async (domain: string, nonce?: string) => {
      const message = messageOf(ann, nonce ?? (await generateNonce(headers)), {
        domain,
        uri: `https://${domain}/login`,
      });
      return list(message, await ann.account.signMessage({ message }), headers);
    };
    expect((await signInto('anywhere.example')).status).toBe(200);
    await changeDomains(id, ['app.example', 'localhost:3000']);
    for (const domain of ['app.example', 'APP.example', 'localhost:3000']) {
      expect([domain, (await signInto(domain)).status]).toEqual([domain, 200]);
    }
    const nonce = await generateNonce(headers);
    for (const domain of [
      'anywhere.example',
      'sub.app.example',
      'app.example:8443',
      'localhost',
      'app.example.evil.example',
    ]) {
      const { status, body } = await signInto(domain, nonce);
      expect([domain, status, body.property]).toEqual([domain, 400, 'message']);
      expect(body.message).toContain('app.example, localhost:3000');
    }
    // A message for another domain uses no nonce up, and other apps are not concerned.
    expect((await signInto('app.example', nonce)).status).toBe(200);
    expect((await signIn(ann)).status).toBe(200);
    await changeDomains(id, []);
    expect((await signInto('anywhere.example')).status).toBe(200);
  });
});

describe('a nonce', () => {
  it('is valid for one message, even for concurrent requests', async () => {
    const nonce = await generateNonce();
    const messages = ['one', 'two', 'three'].map((statement) => messageOf(ann, nonce, { statement }));
    const signed = await Promise.all(
      messages.map(async (message) => [message, await ann.account.signMessage({ message })] as const),
    );
    const answers = await Promise.all(signed.map((one) => list(...one)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    const refused = signed[answers.findIndex(({ status }) => status === 400)] as (typeof signed)[number];
    expect(await list(...refused)).toMatchObject({ status: 400, body: { property: 'message' } });
  });

  it('is valid for the same message again until it expires, which shows what was approved meanwhile', async () => {
    const message = messageOf(ann, await generateNonce());
    const signature = await ann.account.signMessage({ message });
    const first = await list(message, signature);
    const again = await Promise.all([list(message, signature), list(message, signature)]);
    for (const { status, body } of again) expect([status, body]).toEqual([200, first.body]);
    // A replay in another app, and one after ten minutes, get nothing.
    expect((await list(message, signature, (await createSecondApp(network)).headers)).status).toBe(400);
    await network.app.core.db.run("update login_nonce set expires_at = expires_at - interval '10 minutes'");
    expect(await list(message, signature)).toMatchObject({ status: 400, body: { property: 'message' } });
  });

  it('is not used up by an invalid message, and not valid in another app or after ten minutes', async () => {
    const nonce = await generateNonce();
    const message = messageOf(ann, nonce);
    const [good, foreign] = await Promise.all([ann, ben].map((by) => by.account.signMessage({ message })));
    expect(await list(message, foreign as string)).toMatchObject({ status: 400, body: { property: 'signature' } });
    expect(await list(message, good as string, (await createSecondApp(network)).headers)).toMatchObject({
      status: 400,
    });
    expect((await list(message, good as string)).status).toBe(200);
    const late = messageOf(ann, await generateNonce());
    await network.app.core.db.run("update login_nonce set expires_at = expires_at - interval '10 minutes'");
    expect((await list(late, await ann.account.signMessage({ message: late }))).status).toBe(400);
    await generateNonce();
    const rows = await network.app.core.db.run('select nonce from login_nonce');
    expect(rows).toHaveLength(1);
  });

  it('must have been issued here', async () => {
    const message = messageOf(ann, '0123456789abcdef');
    expect(await list(message, await ann.account.signMessage({ message }))).toMatchObject({ status: 400 });
  });
});

describe('a message to sign in with', () => {
  it('must be a valid, signed EIP-4361 message', async () => {
    const wrong: [string, Fields][] = [
      ['message', { expirationTime: new Date(Date.now() - 1000) }],
      ['message', { notBefore: new Date(Date.now() + 60_000) }],
    ];
    for (const [property, fields] of wrong) {
      expect(await signIn(ann, fields)).toMatchObject({ status: 400, body: { property } });
    }
    const message = messageOf(ann, await generateNonce());
    const signature = await ann.account.signMessage({ message });
    const faults: [string, string, string][] = [
      ['message', 'hello', signature],
      ['message', message.replace('Version: 1', 'Version: 2'), signature],
      ['message', message.replace(/Nonce: .*\n/, ''), signature],
      ['signature', `${message} `, signature],
      ['signature', message, '0x'],
      ['signature', message, `0x${'00'.repeat(65)}`],
      ['signature', message, signature.slice(0, -2)],
    ];
    for (const [property, text, by] of faults) {
      expect(await list(text, by), `${property} ${by.slice(0, 10)}`).toMatchObject({ status: 400, body: { property } });
    }
    expect((await list(message, signature)).status).toBe(200);
  });
});
