import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { createJsonFarcasterSignature } from '@farcaster/miniapp-node';
import { ed25519 } from '@noble/curves/ed25519';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildProgram, castellan, type Service, TestWorkspace } from './support/castellan.js';
import { associate } from './support/mini-app.js';
import { type Received, type Receiver, startReceiver } from './support/receiver.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const work = new TestWorkspace();
const UNKNOWN = '00000000-0000-4000-8000-00000000abcd';
const DEFAULT_APP = '00000000-0000-4000-8000-000000000002';
/** The app of the sample network that asks for the keys which the local network approves by command. */
const APP_FID = '2';
const OWNER = 424_242;
const privateKey = ed25519.utils.randomPrivateKey();
const publicKey = `0x${Buffer.from(ed25519.getPublicKey(privateKey)).toString('hex')}`;

/** Plays the mini app under every path but `/host`, which is the host app's own server. */
let outside: Receiver;
let hostResponse: (response: ServerResponse) => void;
/** Token that the mini app got last. */
let token = '';

const answerMiniApp = async ({ path, body }: Received, response: ServerResponse): Promise<void> => {
  if (path === '/hook') {
    const event = JSON.parse(Buffer.from(JSON.parse(body).payload, 'base64url').toString());
    token = event.notificationDetails?.token ?? token;
    response.end();
    return;
  }
  const domain = `localhost:${outside.port}`;
  const accountAssociation = await associate(privateKeyToAccount(`0x${'33'.repeat(32)}`), OWNER, domain);
  const miniapp = { version: '1', name: 'x', webhookUrl: `http://${domain}/hook` };
  response.end(JSON.stringify({ accountAssociation, miniapp }));
};

beforeAll(async () => {
  await buildProgram();
  await work.writeSample('small.ndjson', { accounts: 4, casts: 8, reactions: 8, follows: 6 });
  outside = await startReceiver((request, response) =>
    request.path === '/host' ? hostResponse(response) : answerMiniApp(request, response),
  );
});
afterAll(async () => {
  await outside.stop();
  await work.clear();
});

describe('app commands', () => {
  let store: Record<string, string>;
  let service: Service;

  const start = async () => {
    service = await work.startDev({ ...store, CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' });
  };
  const stop = async () => {
    service.child.kill('SIGTERM');
    expect((await service.ended).code).toBe(0);
  };
  const run = (...args: string[]) => castellan(args, store, work.folder);
  const send = async (path: string, body: object) => {
    const key = readFileSync(join(store.CASTELLAN_DATA_DIR as string, 'api-key'), 'utf8').trim();
    const response = await fetch(`http://127.0.0.1:${service.environment.PORT}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    // biome-ignore lint/suspicious/noExplicitAny: the test reads members of whatever came
    return { status: response.status, body: (await response.json()) as any };
  };
  /** Tells the mini app of an event that the host signed with the user's key. */
  const tell = (event: object) => {
    const payload = Buffer.from(JSON.stringify(event));
    return send('/v2/social/app_host/user/event/', {
      app_domain: `localhost:${outside.port}`,
      signed_message: createJsonFarcasterSignature({ fid: 1, type: 'app_key', privateKey, payload }),
    });
  };
  const pushes = () => outside.received.filter(({ path }) => path === '/host');

  beforeAll(async () => {
    store = await work.newStore();
    await start();
    expect((await run('import', 'small.ndjson')).code).toBe(0);
    expect((await run('signer', 'approve', publicKey, '--fid', '1')).code).toBe(0);
  });
  afterAll(async () => {
    service.child.kill('SIGTERM');
    await service.ended;
  });

  it('make, change and list apps', async () => {
    const made = await run('app', 'create', 'my host', '--fid', '3', '--notification-webhook', 'https://a.example/x');
    expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^[0-9a-f-]{36}\nwhs_[\w-]{43}\n$/) });
    const id = made.out.slice(0, 36);
    expect((await run('app', 'list')).out).toMatch(
      new RegExp(`^${id}  my host +default +3 +https://a.example/x$`, 'm'),
    );
    expect((await run('key', 'create', 'for it', '--app', id)).code).toBe(0);
    const changed = await run('app', 'set', id, '--name', 'yours', '--fid', '77', '--notification-webhook', 'none');
    expect(changed).toMatchObject({
      code: 0,
      out: '',
      err: expect.stringContaining('Account 77 is not stored here'),
    });
    expect((await run('app', 'list')).out).toMatch(new RegExp(`^${id}  yours +default +77 +-$`, 'm'));
    const domains = ['--domain', 'App.Example', '--domain', 'localhost:3000'];
    expect((await run('app', 'set', id, ...domains)).code).toBe(0);
    expect((await run('app', 'list')).out).toMatch(new RegExp(`^${id}  yours .* app\\.example localhost:3000$`, 'm'));
    expect((await run('app', 'set', id, '--domain', 'none')).code).toBe(0);
    const game = await run('app', 'set', id, '--miniapp', 'Game.Example');
    expect(game).toMatchObject({ code: 0, err: expect.stringContaining(`/f/app/${id}/event`) });
    expect((await run('app', 'list')).out).toMatch(new RegExp(`^${id}  yours .* game\\.example *$`, 'm'));
    expect((await run('app', 'set', id, '--miniapp', 'none')).code).toBe(0);
    expect((await run('app', 'list')).out).not.toContain('game.example');
    expect((await run('app', 'set', id, '--miniapp', 'https://game.example')).code).toBe(2);
    expect((await run('app', 'set', id.toUpperCase(), '--fid', 'none')).code).toBe(0);
    expect((await run('app', 'list')).out).toMatch(new RegExp(`^${id}  yours +default +- +-$`, 'm'));
  });

  it('give the app an account, which a running service knows within a second', async () => {
    const event = (n: number) => ({ event: 'frame_added', nonce: `${n}` });
    const refused = await tell(event(1));
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('has no account')]);
    expect(await run('app', 'set', DEFAULT_APP, '--fid', APP_FID)).toMatchObject({ code: 0 });
    const until = Date.now() + 1_000;
    while (Date.now() < until) {
      if ((await tell(event(2))).status === 200) break;
      await new Promise((done) => setTimeout(done, 100));
    }
    expect((await tell(event(3))).status).toBe(200);
  });

  it('set a webhook that gets what was accepted before the service was killed', async () => {
    const set = await run('app', 'set', DEFAULT_APP, '--notification-webhook', `http://127.0.0.1:${outside.port}/host`);
    expect(set).toMatchObject({ code: 0, out: expect.stringMatching(/^whs_/) });
    const secret = set.out.trim();
    const before = pushes().length;
    const query = `app_domain=localhost:${outside.port}&fid=1&event=notifications_enabled`;
    const built = await service.get(`/v2/social/app_host/user/event/?${query}`);
    expect((await tell((await built.json()) as object)).status).toBe(200);
    // The host app's server holds the call, and the service is killed over it.
    hostResponse = () => undefined;
    const notified = await send('/v2/social/app_host/notify/', {
      notificationId: 'first',
      title: 'Hello',
      body: 'You there',
      targetUrl: `http://localhost:${outside.port}/`,
      tokens: [token],
    });
    expect(notified.body.result.successfulTokens).toEqual([token]);
    await expect.poll(() => pushes().length).toBe(before + 1);
    service.child.kill('SIGKILL');
    await service.ended;
    hostResponse = (response) => void response.end();
    await start();
    await expect.poll(() => pushes().length, { timeout: 40_000 }).toBe(before + 2);
    const [first, second] = pushes().slice(before) as [Received, Received];
    expect(second.body).toBe(first.body);
    expect(JSON.parse(second.body)).toMatchObject({ fid: 1, notification_id: 'first', title: 'Hello' });
    const signature = createHmac('sha512', secret).update(second.body).digest('hex');
    expect(second.headers['x-service-signature']).toBe(signature);
    await expect
      .poll(async () => (await run('delivery', 'list', '--waiting')).err, { timeout: 20_000 })
      .toContain('No event waits');
  });

  it('show pushes that wait, and try them again', async () => {
    hostResponse = (response) => void response.writeHead(500).end();
    const query = `app_domain=localhost:${outside.port}&fid=1&event=notifications_enabled`;
    const built = await service.get(`/v2/social/app_host/user/event/?${query}`);
    expect((await tell((await built.json()) as object)).status).toBe(200);
    await send('/v2/social/app_host/notify/', {
      notificationId: 'second',
      title: 'Hello',
      body: 'You there',
      targetUrl: `http://localhost:${outside.port}/`,
      tokens: [token],
    });
    const before = pushes().length;
    let line: RegExpExecArray | null = null;
    await expect
      .poll(async () => {
        const { out } = await run('delivery', 'list', '--waiting');
        line = /^([0-9a-f-]{36}) +localhost:\d+ +1 +notification +\d+ .*answered 500/m.exec(out);
        return line;
      })
      .not.toBeNull();
    const id = (line as unknown as RegExpExecArray)[1] as string;
    hostResponse = (response) => void response.end();
    expect(await run('delivery', 'retry', id)).toMatchObject({ code: 0, out: '1 event is tried again.\n' });
    await expect.poll(() => pushes().length, { timeout: 20_000 }).toBeGreaterThan(before);
    expect(JSON.parse(pushes().at(-1)?.body ?? '').delivery_id).toBe(id);
    await expect.poll(async () => (await run('delivery', 'retry', id)).err).toContain(`no event ${id}`);
  });

  it('say what is wrong', async () => {
    expect(await run('app', 'set', UNKNOWN, '--name', 'x')).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no app'),
    });
    const inner = await run('app', 'set', DEFAULT_APP, '--notification-webhook', 'https://10.0.0.1/');
    expect([inner.code, inner.err]).toEqual([1, expect.stringContaining('must be a public one')]);
    const unclear = [
      ['create', ' '],
      ['create', 'x', '--fid', 'me'],
      ['create', 'x', '--notification-webhook', 'here'],
      ['set', 'me', '--name', 'x'],
      ['set', DEFAULT_APP],
      ['set', DEFAULT_APP, '--fid', '0'],
      ['set', DEFAULT_APP, '--domain', 'https://app.example'],
      ['set', DEFAULT_APP, '--domain', 'app.example/login'],
      ['set', DEFAULT_APP, '--domain', 'none', '--domain', 'app.example'],
      ['set', DEFAULT_APP, '--domain', ''],
    ];
    for (const args of unclear) expect((await run('app', ...args)).code, args.join(' ')).toBe(2);
  });

  it('seal nothing under a key that the services do not have', async () => {
    await stop();
    const args = ['app', 'set', DEFAULT_APP, '--notification-webhook', 'https://a.example/'];
    expect((await run(...args)).code).toBe(0);
    const other = await castellan(args, { ...store, CASTELLAN_MASTER_KEY: '0123456789abcdef'.repeat(4) });
    expect([other.code, other.err]).toEqual([2, expect.stringContaining('not that of the services')]);
    await start();
  });
});
