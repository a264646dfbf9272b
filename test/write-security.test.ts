import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Operation } from '../src/api/http/operation.js';
import { operations } from '../src/api/operation-list.js';
import { SCOPES, type Scope } from '../src/schema/scope.js';
import type { SharedSignerPermission } from '../src/schema/social/signer.js';
import { createSecondApp, keyWith, type SecondApp } from './support/app.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';
import { approvedSigner, removeKey } from './support/signer.js';

let network: Network;
let seeded: Seeded;
let other: SecondApp;
beforeAll(async () => {
  network = await startNetwork({ CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' });
  seeded = await seedBasics((items) => network.load(items));
  other = await createSecondApp(network);
});
afterAll(() => network.stop());

const writes = operations.filter(({ method, family }) => method !== 'GET' && family === 'v2');
const operationOf = (id: string): Operation => {
  const found = operations.find((operation) => operation.id === id);
  if (found === undefined) throw new Error(`there is no operation ${id}`);
  return found;
};

/** What changes when anything is written in the name of an account, or marked. */
const written = async (): Promise<unknown> =>
  network.app.core.db.run(
    'select (select count(*) from message) as messages, (select count(*) from notification_seen) as marks',
  );

describe('scopes', () => {
  /** POST /v1/validateMessage writes nothing. */
  const SCOPES_OF_WRITES: readonly Scope[] = [
    'write',
    'mute',
    'seen',
    'host',
    'wallet',
    'portal',
    'webhook',
    'operator',
  ];

  test('no write operation requires only the scope read', () => {
    const others = writes.filter(({ scope }) => !SCOPES_OF_WRITES.includes(scope as Scope));
    expect(others.map(({ id, scope }) => [id, scope])).toEqual([
      // It writes nothing.
      ['validate-frame-action', 'read'],
      // Mini apps have no key here: the token in the body is the credential.
      ['app-host-notify', 'public'],
      // They write nothing: the body is a list of accounts to read.
      ['batch-cast-bodies', 'read'],
      ['batch-cast-interactions', 'read'],
      ['batch-following', 'read'],
      ['batch-id-registrations', 'read'],
      ['batch-reactions', 'read'],
      ['batch-signers', 'read'],
      // The user's signature in the body is the credential; an opening only adds to a count.
      ['miniapp-event', 'public'],
      ['miniapp-opened', 'public'],
      ['open-notification', 'public'],
      // The user's signature in the body is the credential; a nonce says nothing.
      ['create-quick-auth-nonce', 'public'],
      ['verify-siwf', 'public'],
      // The ticket only opens a stream, which a key with this scope opens as well.
      ['create-stream-ticket', 'read'],
    ]);
  });

  test('a key without the required scope is rejected first, and nothing is written', async () => {
    const before = await written();
    for (const scope of SCOPES) {
      const headers = await keyWith(network, ...SCOPES.filter((one) => one !== scope));
      for (const operation of operations.filter((one) => one.scope === scope && one.family === 'v2')) {
        const { status, body } = await network.send(operation.method, operation.path, undefined, headers);
        const listed = operation.errors.includes(403);
        expect([operation.id, status, body.code]).toEqual([
          operation.id,
          listed ? 403 : 401,
          listed ? 'Forbidden' : 'InsufficientScope',
        ]);
        expect(body.message).toContain(scope);
      }
    }
    expect(await written()).toEqual(before);
  });
});

const HASH = `0x${'11'.repeat(20)}`;
const ADDRESS = `0x${'22'.repeat(20)}`;
const CLAIM = { address: ADDRESS, block_hash: `0x${'33'.repeat(32)}`, eth_signature: `0x${'44'.repeat(65)}` };

/** Every operation that takes a signer: a body that is fine but for it, and what the signer must be allowed to do. */
const SIGNED: Record<string, { readonly body: object; readonly permission?: SharedSignerPermission }> = {
  'publish-cast': { body: { text: 'not mine' }, permission: 'PUBLISH_CAST' },
  'delete-cast': { body: { target_hash: HASH }, permission: 'DELETE_CAST' },
  'publish-reaction': { body: { reaction_type: 'like', target: 'https://a.example/' }, permission: 'PUBLISH_REACTION' },
  'delete-reaction': { body: { reaction_type: 'like', target: 'https://a.example/' }, permission: 'DELETE_REACTION' },
  'follow-channel': { body: { channel_id: 'garden' }, permission: 'FOLLOW_CHANNEL' },
  'unfollow-channel': { body: { channel_id: 'garden' }, permission: 'UNFOLLOW_CHANNEL' },
  'invite-channel-member': { body: { channel_id: 'garden', fid: FIDS.bob, role: 'member' }, permission: 'WRITE_ALL' },
  'respond-channel-invite': {
    body: { channel_id: 'garden', role: 'member', accept: true },
    permission: 'WRITE_ALL',
  },
  'remove-channel-member': { body: { channel_id: 'garden', fid: FIDS.bob, role: 'member' }, permission: 'WRITE_ALL' },
  'follow-user': { body: { target_fids: [FIDS.bob] }, permission: 'FOLLOW_USER' },
  'unfollow-user': { body: { target_fids: [FIDS.bob] }, permission: 'UNFOLLOW_USER' },
  'publish-block': { body: { blocked_fid: FIDS.bob }, permission: 'WRITE_ALL' },
  'delete-block': { body: { blocked_fid: FIDS.bob }, permission: 'WRITE_ALL' },
  'update-user': { body: { bio: 'not mine' }, permission: 'UPDATE_PROFILE' },
  'publish-verification': { body: CLAIM, permission: 'ADD_VERIFICATION' },
  'delete-verification': { body: CLAIM, permission: 'REMOVE_VERIFICATION' },
  'publish-social-action': {
    body: { action: { type: 'any' }, base_url: 'http://127.0.0.1:9' },
    permission: 'WRITE_FRAME_ACTION',
  },
  'mark-notifications-as-seen': { body: {} },
  'register-signed-key': { body: { app_fid: FIDS.app, deadline: 2_000_000_000, signature: `0x${'55'.repeat(65)}` } },
};
const ids = Object.keys(SIGNED);
const withPermission = ids.filter((id) => SIGNED[id]?.permission !== undefined);

const call = (id: string, signer: unknown, headers?: Record<string, string>): Promise<TestResponse> => {
  const { method, path } = operationOf(id);
  return network.send(method, path, { ...SIGNED[id]?.body, signer_uuid: signer }, headers);
};

/** The status of an error where it is listed, else that of the nearest one that is. */
const listed = (id: string, status: 403 | 404): number[] =>
  operationOf(id).errors.includes(status) ? [status] : [400, 404];

const expectRejected = async (id: string, answer: TestResponse, status: 403 | 404, before: unknown): Promise<void> => {
  expect(listed(id, status), `${id}: ${JSON.stringify(answer.body)}`).toContain(answer.status);
  expect([id, answer.body.property]).toEqual([id, 'signer_uuid']);
  expect(await written(), id).toEqual(before);
};

test('every operation that uses a signer is tested here', () => {
  const taking = writes.filter(({ body }) => 'signer_uuid' in ((body as { properties?: object })?.properties ?? {}));
  expect(taking.map(({ id }) => id).sort()).toEqual([...ids].sort());
});

describe('a signer', () => {
  test.each(ids)('of another app is rejected: %s', async (id) => {
    const signer = await approvedSigner(network, FIDS.alice);
    const before = await written();
    await expectRejected(id, await call(id, signer.uuid, other.headers), 403, before);
    // Whether it exists for somebody else is the only thing that this tells.
    const { body } = await call(id, signer.uuid, other.headers);
    expect(JSON.stringify(body)).not.toContain(Buffer.from(signer.publicKey).toString('hex'));
  });

  test.each(ids)('with an unknown uuid is rejected: %s', async (id) => {
    const before = await written();
    await expectRejected(id, await call(id, randomUUID()), 404, before);
  });

  test.each(ids)('that is no UUID is a bad request: %s', async (id) => {
    const signer = await approvedSigner(network, FIDS.alice);
    const { uuid } = signer;
    for (const wrong of ['', 'x', `${uuid} `, `${uuid}\u0000`, uuid.replaceAll('-', ''), `{${uuid}}`, "' or true --"]) {
      const { status, body } = await call(id, wrong);
      expect([id, wrong, status, body.property]).toEqual([id, wrong, 400, 'signer_uuid']);
    }
    for (const wrong of [null, 7, [uuid], { uuid }]) {
      expect(await call(id, wrong), id).toMatchObject({ status: 400, body: { property: 'signer_uuid' } });
    }
  });

  test.each(withPermission)('writes nothing before its approval or after its revocation: %s', async (id) => {
    const { body } = await network.send('POST', '/v2/social/signer/', undefined);
    const revoked = await approvedSigner(network, FIDS.alice);
    await removeKey(network, FIDS.alice, revoked.publicKey);
    const before = await written();
    await expectRejected(id, await call(id, body.signer_uuid), 403, before);
    await expectRejected(id, await call(id, revoked.uuid), 403, before);
  });

  test.each(withPermission)('is limited to its permissions: %s', async (id) => {
    const needed = SIGNED[id]?.permission as SharedSignerPermission;
    const narrow: SharedSignerPermission[] = Object.values(SIGNED).flatMap(({ permission }) =>
      permission === undefined || permission === 'WRITE_ALL' || permission === needed ? [] : [permission],
    );
    const sets: SharedSignerPermission[][] = [['READ_ONLY'], ['NONE'], ['WRITE_ALL', 'READ_ONLY'], narrow];
    for (const permissions of sets) {
      const signer = await approvedSigner(network, FIDS.alice, { permissions });
      const before = await written();
      await expectRejected(id, await call(id, signer.uuid), 403, before);
    }
    const { uuid } = await approvedSigner(network, FIDS.alice, { permissions: [needed] });
    expect((await call(id, uuid)).body.property, id).not.toBe('signer_uuid');
  });
});

test('marks of what was seen belong to the app: another one still has everything to show', async () => {
  const unseen = async (headers?: Record<string, string>): Promise<number> =>
    (await network.get(`/v2/social/notifications/?fid=${FIDS.alice}`, headers)).body.unseen_notifications_count;
  const [mine, theirs] = [await unseen(), await unseen(other.headers)];
  expect(mine).toBeGreaterThan(0);
  expect(theirs).toBe(mine);
  const seen = await network.send('POST', '/v2/social/notifications/seen/', { fid: FIDS.alice });
  expect(seen.body).toMatchObject({ success: true });
  expect(await unseen()).toBe(0);
  expect(await unseen(await keyWith(network, 'read'))).toBe(0);
  expect(await unseen(other.headers)).toBe(theirs);
  await seeded.send(seeded.bob.cast({ text: ['psst ', FIDS.alice] }));
  expect([await unseen(), await unseen(other.headers)]).toEqual([1, theirs + 1]);
});
