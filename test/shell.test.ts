import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { familyOf } from '../src/api/http/family.js';
import { OTHER_NAMES } from '../src/api/other-name/other-name.js';
import { contractOperations } from './support/contract-operation.js';
import { type Shell, startShell } from './support/http-shell.js';
import { shellOperations } from './support/shell-operation.js';

let shell: Shell;
let key: string;
beforeAll(async () => {
  shell = await startShell({ operations: shellOperations });
  key = await shell.key();
});
afterAll(() => shell.stop());

const send = async (options: InjectOptions) => {
  const response = await shell.server.fastify.inject({ ...options, headers: { 'x-api-key': key, ...options.headers } });
  return { status: response.statusCode, headers: response.headers, text: response.body };
};
const get = (url: string, headers: Record<string, string> = {}) => send({ method: 'GET', url, headers });
const post = (payload: string | Buffer, type = 'application/json', url = '/v2/test/body') =>
  send({ method: 'POST', url, payload, headers: { 'content-type': type } });
const json = ({ text }: { text: string }): Record<string, unknown> => JSON.parse(text);

/** What every error body of a family looks like. */
const expectError = (answer: { status: number; text: string }, url: string, status: number): void => {
  expect(answer.status).toBe(status);
  const body = json(answer);
  const family = familyOf(url);
  if (family === 'hub')
    expect(body).toMatchObject({ name: 'HubError', presentable: false, details: expect.any(String) });
  else expect(body).toMatchObject({ code: expect.any(String), message: expect.any(String) });
};

describe('requests', () => {
  test('a handler gets typed members and defaults, nothing else', async () => {
    const answer = await get('/v2/test/query?fid=3&fids=1,2&other=x', { 'x-service-experimental': 'true' });
    expect(json(answer)).toMatchObject({
      query: { fid: 3, limit: 25, fids: [1, 2] },
      headers: { 'x-service-experimental': true },
    });
    expect(json(answer).query).not.toHaveProperty('other');
  });

  test.each(['/v2/test/query?fid=1', '/v2/test/query/?fid=1', '/v1/testHub?fid=1', '/v1/testHub/?fid=1'])(
    '%s is answered without a redirect',
    async (url) => expect((await get(url)).status).toBe(200),
  );

  test('finished bytes arrive as they are', async () => {
    const answer = await get('/v2/test/rendered');
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(json(answer)).toEqual({ text: 'grüße 👋' });
    expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(answer.text)));
  });

  test('another status than 200 can be an answer', async () => {
    const answer = await get('/v2/test/outcome');
    expect([answer.status, json(answer)]).toEqual([202, { queued: true }]);
  });

  test('HEAD answers the head of GET', async () => {
    const answer = await send({ method: 'HEAD', url: '/v2/test/rendered' });
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(answer.headers['content-length']).toBe('23');
  });

  test('bodies come with POST and DELETE, as JSON or as bytes', async () => {
    expect(json(await post('{"fids":[1]}'))).toEqual({ body: { fids: [1] } });
    expect(json(await post('{"fids":[1]}', 'application/json; charset=utf-8'))).toEqual({ body: { fids: [1] } });
    const headers = { 'content-type': 'application/json' };
    const removed = await send({ method: 'DELETE', url: '/v2/test/body/', payload: '{"fids":[2]}', headers });
    expect(json(removed)).toEqual({ body: { fids: [2] } });
    const bytes = await post(Buffer.from([0, 255]), 'application/octet-stream', '/v1/testBytes');
    expect(json(bytes)).toEqual({ hex: '00ff' });
  });
});

describe('bad requests', () => {
  test.each([
    ['/v2/test/query', 'fid'],
    ['/v2/test/query?fid=x', 'fid'],
    ['/v2/test/query?fid=1&fid=2', 'fid'],
    ['/v2/test/query?fid=99999999999999999999', 'fid'],
    ['/v2/test/query?fid=NaN', 'fid'],
    ['/v2/test/query?fid=%zz', 'fid'],
    ['/v2/test/query?fid=1&limit=101', 'limit'],
    ['/v2/test/query?fid=1&fids=1,x', 'fids'],
    [`/v2/test/query?fid=1&fids=${'1,'.repeat(100)}1`, 'fids'],
    ['/v2/test/query?fid=1&cursor=%00', 'cursor'],
    ['/v2/test/query?fid[a]=1', 'fid'],
    ['/v2/test/query?__proto__[fid]=1', 'fid'],
  ])('%s names the member at fault', async (url, property) => {
    const answer = await get(url);
    expectError(answer, url, 400);
    expect(json(answer)).toMatchObject({ code: 'InvalidField', property, status: 400 });
  });

  test('the hub and the portal have words of their own', async () => {
    const hub = await get('/v1/testHub?fid=0');
    expect([hub.status, json(hub)]).toMatchObject([400, { errCode: 'bad_request.invalid_param', code: 3 }]);
    const portal = await get('/portal/test');
    expect([portal.status, json(portal)]).toEqual([400, { code: 'InvalidField', message: 'plan is required' }]);
  });

  test.each<[string, string | Buffer, string, number, string | undefined]>([
    ['an item that would have to be converted', '{"fids":[true]}', 'application/json', 400, 'fids'],
    ['a number as text', '{"fids":["1"]}', 'application/json', 400, 'fids'],
    ['a number beyond 2^53', '{"fids":[9007199254740993]}', 'application/json', 400, 'fids'],
    ['a missing member', '{}', 'application/json', 400, 'fids'],
    ['null', 'null', 'application/json', 400, 'body'],
    ['a list', '[]', 'application/json', 400, 'body'],
    ['half a document', '{"fids":[1', 'application/json', 400, 'body'],
    ['NaN', '{"fids":[NaN]}', 'application/json', 400, 'body'],
    ['nothing', '', 'application/json', 400, 'body'],
    ['a forbidden member', '{"fids":[1],"__proto__":{"x":1}}', 'application/json', 400, 'body'],
    ['a constructor', '{"fids":[1],"constructor":{"prototype":{"x":1}}}', 'application/json', 400, 'body'],
    ['lists in lists', `{"fids":[1],"name":${'['.repeat(64)}${']'.repeat(64)}}`, 'application/json', 400, 'name'],
    ['nesting without end', `${'['.repeat(200_000)}"\\u0000"${']'.repeat(200_000)}`, 'application/json', 400, 'body'],
    ['text that cannot be stored', '{"fids":[1],"name":"a\\u0000b"}', 'application/json', 400, 'name'],
    ['half a character', '{"fids":[1],"name":"a\\ud83c"}', 'application/json', 400, 'name'],
    ['the other half of a character', '{"fids":[1],"list":[{"x":"\\uDF45"}]}', 'application/json', 400, 'list'],
    ['a member that stands twice', '{"fids":[1],"fids":[2]}', 'application/json', 400, 'fids'],
    ['the same member in two spellings', '{"fids":[1],"f\\u0069ds":[2]}', 'application/json', 400, 'fids'],
    [
      'a member that stands twice in a list',
      '{"fids":[1],"list":[{"a":1},{"b":1,"b":1}]}',
      'application/json',
      400,
      'b',
    ],
    ['very many members', `{"fids":[1]${',"":1'.repeat(20_000)}}`, 'application/json', 400, 'body'],
    ['a form', 'fids=1', 'application/x-www-form-urlencoded', 415, undefined],
    ['text', '{"fids":[1]}', 'text/plain', 415, undefined],
    ['bytes where JSON is due', '{"fids":[1]}', 'application/octet-stream', 415, undefined],
    ['more than 1 MiB', `{"fids":[${'1,'.repeat(600_000)}1]}`, 'application/json', 413, undefined],
  ])('a body of %s is refused', async (_what, payload, type, status, property) => {
    const answer = await post(payload, type);
    expectError(answer, '/v2/', status);
    expect(json(answer).property).toBe(property);
  });

  test('names that stand once in each object, and text that looks like a name, are no fault', async () => {
    const list = [{ x: 1, y: { x: 2 } }, { x: '"x":' }];
    expect((await post(JSON.stringify({ fids: [1], name: 'a","name":"b', list }))).status).toBe(200);
  });

  test('a character whose halves are escaped is whole', async () => {
    expect((await post('{"fids":[1],"name":"\\ud83c\\udf45"}')).status).toBe(200);
  });

  test('an escaped backslash before u0000 is no NUL', async () => {
    expect((await post('{"fids":[1],"name":"\\\\u0000"}')).status).toBe(200);
  });

  test('a request without a body is refused', async () => {
    expect(json(await send({ method: 'POST', url: '/v2/test/body' }))).toMatchObject({ property: 'body', status: 400 });
    expectError(await send({ method: 'POST', url: '/v1/testBytes' }), '/v1/testBytes', 415);
    expectError(await post('{}', 'application/json', '/v1/testBytes'), '/v1/testBytes', 415);
  });

  test('a compressed body is refused as such', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const answer = await send({ method: 'POST', url: '/v2/test/body', payload: 'x', headers });
    expectError(answer, '/v2/', 415);
    expect(json(answer).message).toContain('not compressed');
  });

  test('operations that ask for it list their problems', async () => {
    const answer = await post('{"fids":[true]}', 'application/json', '/v2/test/validation');
    expect([answer.status, json(answer)]).toMatchObject([
      400,
      { code: 'InvalidField', errors: [{ expected: 'an integer', received: 'boolean', path: ['fids', '0'] }] },
    ]);
    const broken = await post('{', 'application/json', '/v2/test/validation');
    expect(json(broken)).toMatchObject({ errors: [{ path: ['body'] }] });
  });

  test.each(['/v2/%zz', '/v1/%zz', '/portal/%'])('%s cannot be an address', async (url) => {
    expectError(await get(url), url, 400);
  });

  test.each(['/v2', '/v2/nothing', '/v1/nothing', '/portal/nothing', '/v1x', `/v2/${'x'.repeat(8000)}`])(
    '%s is not known',
    async (url) => expectError(await get(url), url, 404),
  );
});

describe('every operation of the contract', () => {
  const built = () => new Set(shell.server.routes.map(({ path }) => path));

  test('is answered, in both forms of its path', async () => {
    for (const { method, path } of contractOperations) {
      expect(built()).toContain(path);
      for (const url of [path.replace(/\/$/, ''), `${path.replace(/\/$/, '')}/`]) {
        const answer = await send({ method, url });
        expect([404, 405], `${method} ${url}`).not.toContain(answer.status);
      }
    }
  });
});

test('a wrong method is 405 on every path, with the right ones', async () => {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
  const known = new Map<string, Set<string>>();
  for (const { method, path } of shell.server.routes) {
    const plain = path.replace(/\/$/, '');
    known.set(plain, (known.get(plain) ?? new Set()).add(method));
  }
  for (const { method, path } of OTHER_NAMES) {
    const name = `/v2/farcaster/${path}`;
    known.set(name, (known.get(name) ?? new Set()).add(method).add(method === 'GET' ? 'HEAD' : method));
  }
  expect(known.size).toBeGreaterThan(130);
  for (const [path, allowed] of known) {
    for (const method of methods) {
      if (allowed.has(method)) continue;
      const answer = await send({ method, url: `${path}/?x=1` });
      if (method === 'HEAD') expect(answer.status, path).toBe(405);
      else expectError(answer, path, 405);
      expect(new Set(String(answer.headers.allow).split(', '))).toEqual(new Set([...allowed, 'OPTIONS']));
    }
  }
  expectError(await send({ method: 'PROPFIND' as 'GET', url: '/v2/test/query' }), '/v2/test/query', 405);
});

describe('what went wrong here', () => {
  test('a crash is told by its request id alone; the log has the cause', async () => {
    const answer = await get('/v2/test/crash', { 'x-request-id': 'crash-1' });
    expectError(answer, '/v2/', 500);
    expect(answer.text).toContain('crash-1');
    expect(answer.text).not.toMatch(/hunter2|10\.0\.0\.7|\.ts/);
    const lines = shell.log.filter(({ requestId }) => requestId === 'crash-1');
    expect(lines).toMatchObject([
      { msg: 'about to fail', headers: { 'x-api-key': '[redacted]' } },
      { msg: 'a request failed', path: '/v2/test/crash/', err: { message: expect.stringContaining('hunter2') } },
      { msg: 'answered', operation: 'test-crash', status: 500 },
    ]);
  });

  test('an answer that its schema does not allow is a loud failure in tests', async () => {
    const wrong = await get('/v2/test/wrong-answer');
    expect([wrong.status, json(wrong)]).toMatchObject([
      500,
      { code: 'ResponseMismatch', message: expect.stringContaining('users[0].fid must be an integer') },
    ]);
    expect(json(await get('/v2/test/unlisted'))).toMatchObject({
      code: 'ResponseMismatch',
      message: expect.stringContaining('409'),
    });
  });
});

describe('headers', () => {
  test('every answer has a request id: the one that came, if it is sane', async () => {
    for (const url of ['/v2/test/rendered', '/v2/nothing', '/health/live', '/v2/%zz', '/docs']) {
      expect((await get(url)).headers['x-request-id']).toMatch(/^[0-9a-f]{16}-[0-9a-z]+$/);
      expect((await get(url, { 'x-request-id': 'a.b:c-1_2' })).headers['x-request-id']).toBe('a.b:c-1_2');
    }
    for (const bad of ['a b', 'x'.repeat(65), '{}']) {
      expect((await get('/v2/nothing', { 'x-request-id': bad })).headers['x-request-id']).not.toBe(bad);
    }
  });

  test('pages of any origin may call and read', async () => {
    const asked = await shell.server.fastify.inject({
      method: 'OPTIONS',
      url: '/v2/test/body',
      headers: { origin: 'https://a.example', 'access-control-request-method': 'DELETE' },
    });
    expect(asked.statusCode).toBe(204);
    expect(asked.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': expect.stringContaining('DELETE'),
      'access-control-allow-headers': expect.stringContaining('*'),
      allow: 'POST, OPTIONS, DELETE',
    });
    for (const url of ['/v2/test/rendered', '/v2/nothing', '/v2/%zz']) {
      const { headers } = await get(url, { origin: 'https://a.example' });
      expect(headers['access-control-allow-origin']).toBe('*');
    }
  });
});
