import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey, revokeKey, rotateKey } from '../src/access/key.js';
import { createAuthenticator } from '../src/api/http/auth.js';
import { openPostgres } from '../src/db/postgres.js';
import { SCOPES } from '../src/schema/scope.js';
import { selectApiKeys } from '../src/store/access/api-key.js';
import { type Shell, startShell } from './support/http-shell.js';
import { shellOperations } from './support/shell-operation.js';

let shell: Shell;
beforeAll(async () => {
  shell = await startShell({ operations: shellOperations, rateLimitPerMinute: 5 });
});
afterAll(() => shell.stop());

const send = async (method: 'GET' | 'POST' | 'DELETE', url: string, headers: Record<string, string>) => {
  const response = await shell.server.fastify.inject({ method, url, headers });
  return { status: response.statusCode, headers: response.headers, body: response.body };
};
const get = (key: string, url = '/v2/test/rendered') => send('GET', url, { 'x-api-key': key });
const now = () => new Date(shell.services.clock());

describe('without a key', () => {
  const PUBLIC =
    /^\/($|(page|start)\.css$|favicon\.|robots\.txt$|health\/|docs(\/(?!:)|$)|console($|\/\*)|guides(\.css)?$|llms|openapi\.json$|(approve|siwf)\/page\.|pay$|pay\/(page|sdk|preview|icon)\.|nonce$|\.well-known\/jwks\.json$)/;
  /** Answers whoever has the token or the id in the address, or a page that exists. This shell has no manifest. */
  const TOKEN =
    /^\/(docs\/:page$|guides\/(decisions\/)?:name$|console\/file\/:name$|approve\/:token|media\/:file$|pay\/:id|\.well-known\/farcaster\.json$)/;
  /** Takes notifications of mini apps: the tokens in the body are the credential, so that without a body it is bad. */
  const NOTIFY = '/v2/social/app_host/notify/';
  /** What tokens show is for everybody; this is the address of none. */
  const SHOWN = '/v2/social/nft/metadata/:collection_id/:token_id';
  /** Takes signed events of a payment provider: the signature is the credential. This shell has none. */
  const PAYMENT = '/portal/webhooks/payment';
  /** Takes what mini apps' hosts and users signed, or nothing: without a body it is bad. */
  const MINI_APP = /^\/f\/app\/:app_id\/(event|opened)$|^\/v2\/social\/frame\/notifications\/open\/$/;
  /** Takes what the wallet of an account signed, or a domain that asks for that: without a body or a query it is bad. */
  const SIGN_IN = /^\/(v1\/channel(\/authenticate)?|verify-siwf|verify-jwt)$/;
  /** Takes what the service itself signed, in development alone. */
  const INBOX = '/portal/webhook-inbox/:app_id';
  /** Takes a key in its body; nobody is signed in, and signing out is done. */
  const SESSION = '/portal/session';
  const SESSION_STATUS: Readonly<Record<string, number>> = { POST: 400, DELETE: 200 };
  const statusOf = (method: string, path: string): number => {
    if (path === SESSION) return SESSION_STATUS[method] ?? 401;
    if (path === INBOX) return 400;
    const neutral = path.replace('/v2/farcaster/', '/v2/social/');
    if (neutral === NOTIFY || neutral === SHOWN || MINI_APP.test(neutral) || SIGN_IN.test(path)) return 400;
    return TOKEN.test(path) || path === PAYMENT ? 404 : 401;
  };

  test('nothing answers but the start page, the console, its sessions, health, documentation, pages for approvals and payments, files, sign-in services, addresses for notifications and payments, and what tokens show', async () => {
    expect(shell.server.routes.length).toBeGreaterThan(150);
    for (const { method, path } of shell.server.routes) {
      const response = await shell.server.fastify.inject({ method: method as 'GET', url: path });
      if (PUBLIC.test(path)) expect(response.statusCode, path).toBe(200);
      else expect(response.statusCode, `${method} ${path}`).toBe(statusOf(method, path));
    }
  });

  test('the answer says what to do, and nothing of the body was read', async () => {
    const answer = await send('POST', '/v2/test/body', { 'content-type': 'text/plain' });
    const message = expect.stringContaining('x-api-key');
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([401, { code: 'Unauthorized', message }]);
    expect(answer.headers['www-authenticate']).toBe('ApiKey header="x-api-key", Bearer');
    const hub = JSON.parse((await send('GET', '/v1/testHub', {})).body);
    expect(hub).toMatchObject({ errCode: 'unauthenticated', code: 16 });
    expect(JSON.parse((await send('GET', '/portal/test', {})).body)).toMatchObject({ code: 'Unauthorized' });
  });
});

test('no answer is taken for another type, and none but the documentation is kept on its way', async () => {
  const key = await shell.key();
  const documentation =
    /^\/($|(page|start)\.css|favicon\.|robots\.txt|docs|guides|llms|openapi\.json|approve\/page\.|pay\/(page|sdk|preview|icon)\.)/;
  for (const { method, path } of shell.server.routes) {
    for (const headers of [{}, { 'x-api-key': key }]) {
      const answer = await shell.server.fastify.inject({ method: method as 'GET', url: path, headers });
      const name = `${method} ${path} ${answer.statusCode}`;
      expect(answer.headers['x-content-type-options'], name).toBe('nosniff');
      const kept = documentation.test(path) && answer.statusCode === 200;
      // Reads of the database carry a tag, with which the caller alone asks whether its copy is still right.
      const expected = answer.headers.etag === undefined ? 'no-store' : 'private, no-cache';
      if (!kept) expect(answer.headers['cache-control'], name).toBe(expected);
    }
  }
  for (const url of ['/nowhere', '/v2/%zz']) {
    const { headers } = await shell.server.fastify.inject({ url });
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
  }
});

describe('keys', () => {
  test('a key is the same in each header that programs send it in, everywhere', async () => {
    // The token of a sign-in is no key.
    const keyed = shell.server.routes.filter(
      ({ method, path }) => method !== 'HEAD' && !/^\/(siwf|v1\/channel(?![A-Z]))/.test(path),
    );
    for (const { method, path } of keyed) {
      // Each route has its own key, because the dialects of an operation share its limit.
      const key = await shell.key();
      const spellings = [{ api_key: key }, { authorization: `Bearer ${key}` }, { authorization: `bearer  ${key}` }];
      const statusWith = async (headers: Record<string, string>) =>
        (await shell.server.fastify.inject({ method: method as 'GET', url: path, headers })).statusCode;
      if ((await statusWith({})) !== 401) continue;
      const expected = await statusWith({ 'x-api-key': key });
      expect(expected, path).not.toBe(401);
      for (const headers of spellings) expect(await statusWith(headers), `${method} ${path}`).toBe(expected);
    }
    const key = await shell.key();
    const headers = { 'x-api-key': key, api_key: 'other', authorization: 'Basic b3RoZXI6cGFzc3dvcmQ=' };
    expect((await send('GET', '/v2/test/rendered', headers)).status).toBe(200);
    for (const authorization of [key, `Basic ${key}`, 'Bearer', `Bearer ${key} more`])
      expect((await send('GET', '/v2/test/rendered', { authorization })).status, authorization).toBe(401);
  });

  test('unknown, revoked and ended keys are told apart', async () => {
    const messages: string[] = [];
    const message = async (key: string): Promise<string> => {
      const { status, body } = await get(key);
      expect(status).toBe(401);
      return JSON.parse(body).message;
    };
    messages.push(await message('cst_unknown'), await message('x'.repeat(10_000)));
    const revoked = await createKey(shell.db, { name: 'revoked', now: now() });
    await revokeKey(shell.db, { id: revoked.id, now: now() });
    messages.push(await message(revoked.secret));
    const ended = await createKey(shell.db, { name: 'ended', expiresAt: new Date(now().getTime() + 500), now: now() });
    expect((await get(ended.secret)).status).toBe(200);
    shell.advance(600);
    messages.push(await message(ended.secret));
    expect(messages.map((text) => /known|revoked|ended/.exec(text)?.[0])).toEqual([
      'known',
      'known',
      'revoked',
      'ended',
    ]);
  });

  test('a revoked key stops within a second, at once when the process is told', async () => {
    const first = await createKey(shell.db, { name: 'first', now: now() });
    const second = await createKey(shell.db, { name: 'second', now: now() });
    expect([(await get(first.secret)).status, (await get(second.secret)).status]).toEqual([200, 200]);
    await revokeKey(shell.db, { id: first.id, now: now() });
    await revokeKey(shell.db, { id: second.id, now: now() });
    shell.advance(1000);
    expect((await get(first.secret)).status).toBe(401);
    const third = await createKey(shell.db, { name: 'third', now: now() });
    expect((await get(third.secret)).status).toBe(200);
    await revokeKey(shell.db, { id: third.id, now: now() });
    shell.services.authenticator.forget();
    expect((await get(third.secret)).status).toBe(401);
  });

  test('an old and a new key work side by side until the grace ends', async () => {
    const old = await createKey(shell.db, { name: 'rotating', now: now() });
    const fresh = await rotateKey(shell.db, { id: old.id, graceSeconds: 30, now: now() });
    expect([(await get(old.secret)).status, (await get(fresh.secret)).status]).toEqual([200, 200]);
    shell.advance(31_000);
    expect([(await get(old.secret)).status, (await get(fresh.secret)).status]).toEqual([401, 200]);
  });

  test('many requests at once with a new key ask the database once', async () => {
    const key = await shell.key();
    const statuses = await Promise.all(Array.from({ length: 5 }, () => get(key)));
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });

  test('the last use is noted, though not by the request itself', async () => {
    const { db, log } = shell.services;
    const authenticator = createAuthenticator({ db, log, clock: shell.services.clock });
    const key = await createKey(db, { name: 'used', now: now() });
    await authenticator.authenticate(key.secret);
    const lastUse = async () => (await selectApiKeys(db)).find(({ id }) => id === key.id)?.lastUsedAt;
    expect(await lastUse()).toBeNull();
    await authenticator.stop();
    expect(Math.abs(((await lastUse())?.getTime() ?? 0) - now().getTime())).toBeLessThan(5000);
  });
});

describe('scopes', () => {
  const payload = { 'content-type': 'application/json' };
  test('a lacking scope is 403 where that is listed, else 401', async () => {
    const reader = await shell.key(['read']);
    const headers = { 'x-api-key': reader, ...payload };
    const listed = await send('POST', '/v2/test/body', headers);
    expect([listed.status, JSON.parse(listed.body)]).toMatchObject([403, { code: 'Forbidden' }]);
    const unlisted = await send('DELETE', '/v2/test/body', headers);
    expect([unlisted.status, JSON.parse(unlisted.body)]).toMatchObject([401, { code: 'InsufficientScope' }]);
    const hub = await send('POST', '/v1/testBytes', headers);
    expect([hub.status, JSON.parse(hub.body)]).toMatchObject([403, { errCode: 'unauthorized', code: 7 }]);
  });

  test.each(SCOPES)('the scope %s opens nothing else', async (scope) => {
    const headers = { 'x-api-key': await shell.key([scope]), ...payload };
    const read = await send('GET', '/v2/test/rendered', headers);
    expect(read.status).toBe(scope === 'read' ? 200 : 401);
    expect((await send('POST', '/v2/test/body', headers)).status).toBe(scope === 'write' ? 400 : 403);
    expect((await send('GET', '/portal/test?plan=x', headers)).status).toBe(scope === 'portal' ? 200 : 403);
  });
});

describe('rate limit', () => {
  test('each key may call each operation so many times a minute', async () => {
    const key = await shell.key();
    for (let remaining = 4; remaining >= 0; remaining -= 1) {
      const answer = await get(key);
      expect(answer.status).toBe(200);
      const [, rest, reset] = /^limit=5, remaining=(\d+), reset=(\d+)$/.exec(String(answer.headers.ratelimit)) ?? [];
      expect(Number(rest)).toBe(remaining);
      expect(Number(reset)).toBeLessThanOrEqual(60);
    }
    const refused = await get(key);
    expect([refused.status, JSON.parse(refused.body)]).toMatchObject([429, { code: 'TooManyRequests' }]);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.headers.ratelimit).toMatch(/^limit=5, remaining=0, /);
    expect((await get(key, '/v2/test/outcome')).status).toBe(202);
    expect((await get(await shell.key())).status).toBe(200);
  });

  test('bad requests count, and the hub has its own body', async () => {
    const key = await shell.key();
    for (let n = 0; n < 5; n += 1) expect((await get(key, '/v1/testHub')).status).toBe(400);
    const refused = await get(key, '/v1/testHub');
    expect([refused.status, JSON.parse(refused.body)]).toMatchObject([429, { errCode: 'unavailable' }]);
  });
});

test('a database that is away is 503 with a time to try again', async () => {
  const db = openPostgres({ url: 'postgres://nobody@127.0.0.1:1/nothing', poolSize: 2 });
  const { log } = shell.services;
  const authenticator = createAuthenticator({ db, log, clock: Date.now });
  const away = await startShell({ operations: shellOperations, services: { authenticator } });
  for (const url of ['/v2/test/rendered', '/v1/testHub', '/portal/test']) {
    const headers = { 'x-api-key': 'cst_any' };
    const response = await away.server.fastify.inject({ method: 'GET', url, headers });
    expect(response.statusCode, url).toBe(503);
    expect(response.headers['retry-after']).toMatch(/^\d+$/);
    expect(response.body).not.toContain('127.0.0.1');
  }
  await away.stop();
  await db.close();
});
