import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey, DEFAULT_APP_ID } from '../src/access/key.js';
import { fromUnixMs } from '../src/protocol/time.js';
import { transferEvent } from '../src/sample/onchain.js';
import type { KeyRequester } from '../src/sample/verification-claim.js';
import { createSecondApp } from './support/app.js';
import { verify } from './support/ed25519.js';
import { type Network, startNetwork } from './support/network.js';
import {
  addKey,
  approvedSigner,
  playEvent,
  registerAccount,
  removeKey,
  secondsAhead,
  signKeyRequest,
} from './support/signer.js';

const APP = 100;
const USERS = { ann: 101, ben: 102, mallory: 103 } as const;
let network: Network;
/** Milliseconds that the service's clock is ahead. */
let ahead = 0;
let custody: KeyRequester['wallet'];
let stranger: KeyRequester['wallet'];
let other: Record<string, string>;

beforeAll(async () => {
  network = await startNetwork({}, undefined, { clock: () => Date.now() + ahead });
  custody = await registerAccount(network, APP);
  for (const fid of Object.values(USERS)) stranger = await registerAccount(network, fid);
  other = (await createSecondApp(network)).headers;
});
afterAll(() => network.stop());

const create = async () => {
  const { status, body } = await network.send('POST', '/v2/social/signer/', undefined);
  expect(status).toBe(200);
  return {
    uuid: body.signer_uuid as string,
    hex: body.public_key as string,
    key: Buffer.from(body.public_key.slice(2), 'hex'),
  };
};
const look = (uuid: string, headers = {}) => network.get(`/v2/social/signer/?signer_uuid=${uuid}`, headers);
const register = (body: object, headers = {}) => network.send('POST', '/v2/social/signer/signed_key/', body, headers);

const requestOf = async (signer: { uuid: string; key: Uint8Array }, deadline = secondsAhead(3600)) => ({
  signer_uuid: signer.uuid,
  app_fid: APP,
  deadline,
  signature: await signKeyRequest(custody, { app_fid: APP, deadline, key: signer.key }),
});

const use = (
  uuid: string,
  permission: Parameters<Network['app']['services']['signers']['use']>[2],
  appId = DEFAULT_APP_ID,
) => network.app.services.signers.use(appId, uuid, permission);

describe('the states of a managed signer', () => {
  it('is created with an empty form, but not with one that has content', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const made = await network.send('POST', '/v2/farcaster/signer/', undefined, form);
    expect([made.status, made.body.status]).toEqual([200, 'generated']);
    const body = new TextEncoder().encode('fid=1');
    expect((await network.send('POST', '/v2/farcaster/signer/', body, form)).status).toBe(415);
  });

  it('generated, pending, approved and revoked follow from the request and from the events of its key', async () => {
    const signer = await create();
    expect((await look(signer.uuid)).body).toEqual({
      object: 'signer',
      signer_uuid: signer.uuid,
      public_key: signer.hex,
      status: 'generated',
      permissions: ['WRITE_ALL'],
    });
    const asked = await register(await requestOf(signer));
    expect(asked.body).toMatchObject({ status: 'pending_approval' });
    expect(asked.body).not.toHaveProperty('fid');
    expect(asked.body.signer_approval_url).toMatch(new RegExp(`^${network.config.publicUrl}/approve/[\\w-]{43}$`));
    expect((await look(signer.uuid)).body).toEqual(asked.body);
    await addKey(network, USERS.ann, signer.key, { requestFid: APP });
    const approved = (await look(signer.uuid)).body;
    expect(approved).toMatchObject({ status: 'approved', fid: USERS.ann });
    expect(approved).not.toHaveProperty('signer_approval_url');
    await removeKey(network, USERS.ann, signer.key);
    expect((await look(signer.uuid)).body).toMatchObject({ status: 'revoked', fid: USERS.ann });
    await expect(use(signer.uuid, 'PUBLISH_CAST')).rejects.toMatchObject({
      kind: 'forbidden',
      property: 'signer_uuid',
    });
    const again = await register(await requestOf(signer, secondsAhead(7200)));
    expect(again).toMatchObject({
      status: 400,
      body: { property: 'signer_uuid', message: expect.stringContaining('took this key back') },
    });
  });

  it('a request is revoked after its deadline, its repetition is rejected, and a new one is pending again', async () => {
    const signer = await create();
    const request = await requestOf(signer, secondsAhead(60));
    const first = await register(request);
    expect(first.body.status).toBe('pending_approval');
    ahead += 61_000;
    expect((await look(signer.uuid)).body.status).toBe('revoked');
    expect((await look(signer.uuid)).body).not.toHaveProperty('signer_approval_url');
    expect(await register(request)).toMatchObject({ status: 400, body: { property: 'deadline' } });
    const reopened = await register(await requestOf(signer));
    expect(reopened.body).toEqual({ ...first.body });
  });

  it('stays with the account that approved it first, even if another one registers its public key', async () => {
    const { uuid, publicKey } = await approvedSigner(network, USERS.ann);
    await addKey(network, USERS.mallory, publicKey);
    expect((await look(uuid)).body).toMatchObject({ status: 'approved', fid: USERS.ann });
    expect((await use(uuid, 'PUBLISH_CAST')).fid).toBe(USERS.ann);
    await removeKey(network, USERS.ann, publicKey);
    expect((await look(uuid)).body).toMatchObject({ status: 'revoked', fid: USERS.ann });
    await expect(use(uuid, 'PUBLISH_CAST')).rejects.toMatchObject({ kind: 'forbidden' });
  });

  it('needs no request if the account added the key in another way', async () => {
    const signer = await create();
    await addKey(network, USERS.ben, signer.key);
    expect((await look(signer.uuid)).body).toMatchObject({ status: 'approved', fid: USERS.ben });
    const late = await register(await requestOf(signer));
    expect(late).toMatchObject({
      status: 400,
      body: { property: 'signer_uuid', message: expect.stringContaining('holds this key') },
    });
  });
});

describe('signing', () => {
  it('returns the signature of the key for the account that approved it', async () => {
    const { uuid, publicKey } = await approvedSigner(network, USERS.ben);
    const signer = await use(uuid, 'PUBLISH_REACTION');
    expect(signer).toMatchObject({ uuid, fid: USERS.ben });
    expect(Buffer.from(signer.publicKey).equals(publicKey)).toBe(true);
    for (let round = 0; round < 20; round++) {
      const message = randomBytes(20);
      const signature = signer.sign(message);
      expect(signature).toHaveLength(64);
      expect(verify(publicKey, message, signature)).toBe(true);
    }
  });

  it('requires the permissions', async () => {
    const only = await approvedSigner(network, USERS.ben, { permissions: ['PUBLISH_CAST', 'FOLLOW_USER'] });
    expect((await look(only.uuid)).body.permissions).toEqual(['PUBLISH_CAST', 'FOLLOW_USER']);
    await use(only.uuid, 'PUBLISH_CAST');
    await expect(use(only.uuid, 'DELETE_CAST')).rejects.toMatchObject({
      kind: 'forbidden',
      message: expect.stringContaining('DELETE_CAST'),
    });
    for (const word of ['READ_ONLY', 'NONE'] as const) {
      const none = await approvedSigner(network, USERS.ben, { permissions: ['WRITE_ALL', word] });
      await expect(use(none.uuid, 'PUBLISH_CAST')).rejects.toMatchObject({ kind: 'forbidden' });
    }
  });

  it('is limited to the app that created the signer, with any of its API keys', async () => {
    const { uuid } = await approvedSigner(network, USERS.ben);
    const { secret } = await createKey(network.app.core.db, { name: 'second', now: new Date(), scopes: ['read'] });
    expect((await look(uuid, { 'x-api-key': secret })).status).toBe(200);
    expect(await look(uuid, other)).toMatchObject({
      status: 403,
      body: { code: 'Forbidden', property: 'signer_uuid' },
    });
    await expect(use(uuid, 'PUBLISH_CAST', randomUUID())).rejects.toMatchObject({ kind: 'forbidden' });
    const request = { signer_uuid: uuid, app_fid: APP, deadline: secondsAhead(60), signature: `0x${'11'.repeat(65)}` };
    expect((await register(request, other)).status).toBe(403);
  });

  it('distinguishes an unknown uuid from a malformed one', async () => {
    expect(await look(randomUUID())).toMatchObject({ status: 404, body: { property: 'signer_uuid' } });
    for (const uuid of ['', 'null', '0', "' or true --", randomUUID().slice(1)]) {
      expect(await look(encodeURIComponent(uuid))).toMatchObject({ status: 400, body: { property: 'signer_uuid' } });
    }
  });
});

describe('a signed key request', () => {
  it('is rejected unless the custody address of the app signed exactly it', async () => {
    const signer = await create();
    const good = await requestOf(signer);
    const claim = { app_fid: APP, deadline: good.deadline, key: signer.key };
    const wrong: [string, object][] = [
      ['signature', { ...good, signature: await signKeyRequest(stranger, claim) }],
      ['signature', { ...good, signature: await signKeyRequest(custody, claim, { chainId: 1 }) }],
      ['signature', { ...good, signature: await signKeyRequest(custody, claim, { name: 'Farcaster KeyAdd' }) }],
      ['signature', { ...good, signature: await signKeyRequest(custody, { ...claim, key: randomBytes(32) }) }],
      ['signature', { ...good, deadline: good.deadline + 1 }],
      ['signature', { ...good, app_fid: USERS.ann }],
      ['signature', { ...good, signature: `${good.signature.slice(0, -2)}1d` }],
      ['signature', { ...good, signature: '0x' }],
      ['signature', { ...good, signature: 'hello' }],
      ['app_fid', { ...good, app_fid: 999_999 }],
      ['deadline', { ...good, deadline: secondsAhead(-1) }],
      ['deadline', { ...good, deadline: secondsAhead(31 * 86_400) }],
      ['deadline', { ...good, deadline: Date.now() }],
      ['redirect_url', { ...good, redirect_url: 'javascript:alert(1)' }],
      ['redirect_url', { ...good, redirect_url: ' JavaScript:alert(1)' }],
      ['redirect_url', { ...good, redirect_url: '/home' }],
      ['redirect_url', { ...good, redirect_url: 'myapp://a\u0000b' }],
    ];
    for (const [property, body] of wrong) {
      expect(await register(body), JSON.stringify(body).slice(0, 120)).toMatchObject({
        status: 400,
        body: { property },
      });
    }
    expect((await look(signer.uuid)).body.status).toBe('generated');
    expect((await register({ ...good, signer_uuid: randomUUID() })).status).toBe(404);
  });

  it('accepts only signatures that the contract accepts: of two equivalent ones that with the lower s', async () => {
    const signer = await create();
    const good = await requestOf(signer);
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const s = (order - BigInt(`0x${good.signature.slice(66, 130)}`)).toString(16).padStart(64, '0');
    const v = good.signature.endsWith('1b') ? '1c' : '1b';
    const twin = `${good.signature.slice(0, 66)}${s}${v}`;
    expect(await register({ ...good, signature: twin })).toMatchObject({
      status: 400,
      body: { property: 'signature' },
    });
    const short = `${good.signature.slice(0, 130)}0${v === '1c' ? 0 : 1}`;
    expect((await register({ ...good, signature: short })).body.status).toBe('pending_approval');
  });

  it('follows the custody of the app when it moves', async () => {
    const fid = 150;
    const moving = await registerAccount(network, fid);
    const signer = await create();
    const deadline = secondsAhead(3600);
    const claim = { app_fid: fid, deadline, key: signer.key };
    const body = { signer_uuid: signer.uuid, app_fid: fid, deadline };
    const before = await signKeyRequest(moving, claim);
    const place = { seed: 'moves', fid, at: fromUnixMs(Date.now()) + 10, logIndex: 1 };
    await playEvent(network, transferEvent(place, moving.address, stranger.address));
    expect(await register({ ...body, signature: before })).toMatchObject({
      status: 400,
      body: { property: 'signature' },
    });
    expect((await register({ ...body, signature: await signKeyRequest(stranger, claim) })).status).toBe(200);
  });

  it('can be repeated, even concurrently, with the same result', async () => {
    const signer = await create();
    const request = await requestOf(signer);
    const answers = await Promise.all(Array.from({ length: 8 }, () => register(request)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.signer_approval_url)).size).toBe(1);
    await addKey(network, USERS.ann, signer.key, { requestFid: APP });
    expect((await register(request)).body).toMatchObject({ status: 'approved', fid: USERS.ann });
  });

  it('accepts a sponsor who signed the signature of the app', async () => {
    const signer = await create();
    const request = await requestOf(signer);
    const sign = (wallet: KeyRequester['wallet']) =>
      wallet.account.signMessage({ message: { raw: request.signature } });
    const fid = USERS.mallory;
    const wrong: [string, object][] = [
      ['sponsor', { fid }],
      ['sponsor', { signature: await sign(stranger) }],
      ['sponsor.fid', { fid: 999_999, signature: await sign(stranger) }],
      ['sponsor.signature', { fid, signature: await sign(custody) }],
      ['sponsor.signature', { fid, signature: '0x00' }],
    ];
    for (const [property, sponsor] of wrong) {
      expect(await register({ ...request, sponsor })).toMatchObject({ status: 400, body: { property } });
    }
    for (const sponsor of [
      { fid, signature: await sign(stranger) },
      { sponsored_by_service: true, signature: 'ignored' },
      {},
    ]) {
      expect((await register({ ...request, sponsor })).status).toBe(200);
    }
  });
});

describe('a signer whose key the developer has', () => {
  const path = '/v2/social/signer/developer_managed/';
  const hexOf = (key: Uint8Array) => `0x${Buffer.from(key).toString('hex')}`;

  it('has the same states, without a uuid', async () => {
    const key = randomBytes(32);
    const lookup = (headers = {}) => network.get(`${path}?public_key=${hexOf(key)}`, headers);
    expect(await lookup()).toMatchObject({ status: 400, body: { property: 'public_key' } });
    const deadline = secondsAhead(3600);
    const signature = await signKeyRequest(custody, { app_fid: APP, deadline, key });
    const body = { public_key: hexOf(key), app_fid: APP, deadline, signature };
    const asked = await network.send('POST', `${path}signed_key/`, body);
    expect(asked.body).toMatchObject({ status: 'pending_approval', public_key: hexOf(key) });
    expect((await lookup()).body).toEqual(asked.body);
    // What another app asked for is its own, addresses above all; what the network knows is everybody's.
    expect(await lookup(other)).toMatchObject({ status: 400 });
    await addKey(network, USERS.ann, key, { requestFid: APP });
    const approved = { public_key: hexOf(key), status: 'approved', fid: USERS.ann };
    expect((await lookup()).body).toEqual(approved);
    expect((await lookup(other)).body).toEqual(approved);
    const late = await network.send('POST', `${path}signed_key/`, {
      ...body,
      deadline: deadline + 1,
      signature: await signKeyRequest(custody, { app_fid: APP, deadline: deadline + 1, key }),
    });
    expect(late).toMatchObject({ status: 400, body: { property: 'public_key' } });
    await removeKey(network, USERS.ann, key);
    expect((await lookup()).body).toMatchObject({ status: 'revoked' });
  });
});

describe('the retired sign-in flow', () => {
  it('responds 410 with its replacement', async () => {
    const path = '/v2/social/login/authorize/';
    const gone = await network.get(`${path}?client_id=${randomUUID()}&response_type=code`);
    expect(gone).toMatchObject({ status: 410, body: { code: 'Gone', message: expect.stringContaining('signer') } });
    expect((await network.get(`${path}?client_id=x&response_type=code`)).status).toBe(400);
  });
});
