import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_ORGANIZATION_ID } from '../src/access/key.js';
import { Secret } from '../src/config/secret.js';
import { createOutbound } from '../src/delivery/outbound.js';
import { createImageGenerator } from '../src/image/generator.js';
import { modelSize } from '../src/image/model.js';
import { createLog } from '../src/log.js';
import { makeWallet } from '../src/onchain/transaction/wallet.js';
import { insertOrganization } from '../src/store/access/organization.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { type Received, type Receiver, startReceiver } from './support/receiver.js';

const IMAGE = '/v2/social/nft/image/';
const PROMPT = 'a lighthouse in a secret garden';
const KEY = 'model-key-1234567890';

const solid = (width: number, height: number, format: 'png' | 'jpeg' | 'webp' | 'gif' = 'png'): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#aa3311' } })
    .toFormat(format)
    .toBuffer();

type Answer = (request: Received, response: ServerResponse) => void | Promise<void>;

let model: Receiver;
let network: Network;
let pattern: Network;
let wallet: string;
let patternWallet: string;
let foreign: string;
const lines: string[] = [];

const json = (response: ServerResponse, body: object, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

const pixel = { b64_json: (await solid(1, 1)).toString('base64') };
const drawn: Answer = async (_, response) =>
  json(response, { data: [{ b64_json: (await solid(1536, 1024)).toString('base64') }] });

let answer: Answer = drawn;

const walletOf = async ({ app, config }: Network, organizationId = DEFAULT_ORGANIZATION_ID): Promise<string> =>
  (await makeWallet(app.core.db, config.masterKey, { organizationId, name: 'test', now: new Date() })).id;

beforeAll(async () => {
  model = await startReceiver((request, response) => answer(request, response));
  const log = createLog(
    'info',
    new Writable({
      write: (chunk, _, done) => {
        lines.push(String(chunk));
        done();
      },
    }) as never,
  );
  [network, pattern] = await Promise.all([
    startNetwork(
      {
        CASTELLAN_IMAGE_URL: `${model.url}/v1`,
        CASTELLAN_IMAGE_KEY: KEY,
        CASTELLAN_IMAGE_MODEL: 'plain',
        CASTELLAN_IMAGE_MODEL_HIGH: 'fine',
        CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true',
        CASTELLAN_MEDIA_QUOTA_MB: '8',
      },
      log,
    ),
    startNetwork(),
  ]);
  [wallet, patternWallet] = await Promise.all([walletOf(network), walletOf(pattern)]);
  const other = await insertOrganization(network.app.core.db, { name: 'another organization' });
  foreign = await walletOf(network, (other as { id: string }).id);
});
afterEach(() => {
  answer = drawn;
});
afterAll(() => Promise.all([network.stop(), pattern.stop(), model.stop()]));

const draw = (body: object, headers: Record<string, string> = {}): Promise<TestResponse> =>
  network.send('POST', IMAGE, { prompt: PROMPT, ...body }, { 'x-wallet-id': wallet, ...headers });

/** Fetches an image by its public address, which has another port than the test's service. */
const fetchImage = async ({ body }: TestResponse, of: Network = network) => {
  const response = await fetch(body.image_url.replace(of.config.publicUrl, of.url));
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
};

const lastCall = (): Received => model.received.at(-1) as Received;

describe('an image of a model', () => {
  test('has exactly the requested size and format, whatever the model drew', async () => {
    const answers = [
      [{}, 'png', 1024, 1024],
      [{ width: 300, height: 1200, format: 'jpeg' }, 'jpeg', 300, 1200],
      [{ width: 1, height: 1, format: 'webp', high_fidelity: true }, 'webp', 1, 1],
    ] as const;
    for (const [body, format, width, height] of answers) {
      const made = await draw(body);
      expect([made.status, made.headers.get('x-image-generator')]).toEqual([200, null]);
      const { bytes } = await fetchImage(made);
      expect(await sharp(bytes).metadata()).toMatchObject({ format, width, height });
    }
    expect(JSON.parse(lastCall().body)).toEqual({ model: 'fine', prompt: PROMPT, n: 1, size: '1024x1024' });
    expect(lastCall()).toMatchObject({ method: 'POST', path: '/v1/images/generations' });
    expect(lastCall().headers).toMatchObject({ authorization: `Bearer ${KEY}`, 'content-type': 'application/json' });
  });

  test('is served to everybody, for ever, and only under its own address', async () => {
    const made = await draw({ width: 16, height: 16 });
    const { response } = await fetchImage(made);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
    });
    const url = made.body.image_url.replace(network.config.publicUrl, network.url) as string;
    expect(url).toMatch(/\/media\/[\w-]{43}\.png$/);
    for (const wrong of [url.replace('.png', '.jpg'), url.replace('.png', ''), `${network.url}/media/x.png`]) {
      expect((await fetch(wrong)).status).toBe(404);
    }
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
  });

  test('carries no metadata of what the model sent', async () => {
    const tagged = await sharp(await solid(64, 64))
      .withExif({ IFD0: { Copyright: 'somebody' } })
      .jpeg()
      .toBuffer();
    answer = (_, response) => json(response, { data: [{ b64_json: tagged.toString('base64') }] });
    const { bytes } = await fetchImage(await draw({ width: 64, height: 64, format: 'jpeg' }));
    expect((await sharp(tagged).metadata()).exif).toBeDefined();
    expect((await sharp(bytes).metadata()).exif).toBeUndefined();
  });

  test.each([
    [
      'spaces and other members',
      (base64: string) => `{"created":1,"data":[{ "b64_json" :\n"${base64}","url":null}],"size":"x"}`,
    ],
    ['slashes with a backslash', (base64: string) => `{"data":[{"b64_json":"${base64.replaceAll('/', '\\/')}"}]}`],
    ['an escaped name', (base64: string) => `{"data":[{"b64\\u005fjson":"${base64}"}]}`],
  ])('may be written with %s', async (_, written) => {
    const base64 = (await solid(1024, 1024)).toString('base64');
    expect(base64).toContain('/');
    answer = (_, response) => void response.end(written(base64));
    expect((await sharp((await fetchImage(await draw({ width: 20, height: 20 }))).bytes).metadata()).width).toBe(20);
  });

  test('may come as an address, of the model or of another server', async () => {
    const bytes = await solid(40, 40, 'webp');
    const other = await startReceiver((_, response) => void response.end(bytes));
    const addresses = [`${model.url}/files/1.webp`, `${other.url}/1.webp`];
    for (const url of addresses) {
      answer = (request, response) => {
        if (request.path === '/files/1.webp') response.end(bytes);
        else json(response, { data: [{ b64_json: null, url }] });
      };
      const made = await draw({ width: 20, height: 20 });
      expect(await sharp((await fetchImage(made)).bytes).metadata()).toMatchObject({ format: 'png', width: 20 });
    }
    // The key is for the model alone.
    expect(lastCall().headers.authorization).toBe(`Bearer ${KEY}`);
    expect(other.received.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    await other.stop();
  });
});

describe('a model that does not draw', () => {
  test('refuses a prompt with its own words, bounded and without control characters', async () => {
    const message = `Your request was rejected\u0007 by the ${'safety '.repeat(100)}system for ${KEY}.`;
    answer = (_, response) => json(response, { error: { code: 'moderation_blocked', message } }, 400);
    const { status, body } = await draw({});
    expect([status, body.property]).toEqual([400, 'prompt']);
    expect(body.message).toMatch(/^The image model refused the prompt: Your request was rejected by the safety/);
    expect(body.message.length).toBeLessThan(400);
    answer = (_, response) => json(response, { error: { code: 'content_policy_violation', message: KEY } }, 400);
    expect((await draw({})).body.message).toBe('The image model refused the prompt: [secret]');
  });

  test.each<[string, Answer, string]>([
    ['429', (_, response) => json(response, { error: { message: 'slow down' } }, 429), 'has no capacity'],
    ['500', (_, response) => void response.writeHead(500).end('<html>'), 'failed with status 500'],
    ['401', (_, response) => json(response, { error: { message: `bad key ${KEY}` } }, 401), 'failed with status 401'],
    ['no JSON', (_, response) => void response.end('hello'), 'sent no image'],
    ['an empty list', (_, response) => json(response, { data: [] }), 'sent no image'],
    ['thousands of values', (_, response) => json(response, { data: [pixel], more: Array(2000).fill(0) }), 'sent no'],
    ['an image elsewhere', (_, response) => json(response, { other: pixel, data: [{}] }), 'sent no image'],
    ['much beside it', (_, response) => json(response, { data: [pixel], words: 'x'.repeat(100_000) }), 'sent no image'],
    ['text as image', (_, response) => json(response, { data: [{ b64_json: 'aGVsbG8=' }] }), 'sent no image'],
    ['a private address', (_, response) => json(response, { data: [{ url: 'http://10.0.0.1/a' }] }), 'cannot be'],
    ['a closed connection', (_, response) => void response.destroy(), 'cannot be reached'],
  ])('answers %s: a 500 that says so, and nothing is stored', async (_, given, words) => {
    const count = async () => (await network.sql<{ n: number }>('select count(*)::int as n from media'))[0]?.n;
    const before = await count();
    answer = given;
    const { status, body } = await draw({});
    expect([status, body.code, body.message]).toEqual([500, 'ImageModelFailed', expect.stringContaining(words)]);
    expect(body.message).not.toContain(KEY);
    expect(await count()).toBe(before);
  });

  test('hangs: the time limit ends the request', async () => {
    answer = () => undefined;
    const generator = createImageGenerator({
      config: {
        endpoint: { url: model.url, key: new Secret(KEY), model: 'plain', modelHigh: undefined },
        drawsPattern: true,
      },
      outbound: createOutbound({ allowLoopback: true }),
      timeoutMs: 100,
    });
    const request = {
      prompt: PROMPT,
      width: 8,
      height: 8,
      highFidelity: false,
      sourceUrls: [],
      format: 'png',
    } as const;
    const work = generator.generate(request, new AbortController().signal);
    await expect(work).rejects.toMatchObject({ code: 'ImageModelFailed', message: expect.stringContaining('0.1 s') });
  });

  test('is not called on when the client is gone', async () => {
    let called: () => void;
    const isCalled = new Promise<void>((resolve) => {
      called = resolve;
    });
    let cancelled: Promise<unknown> | undefined;
    answer = (_, response) => {
      cancelled = once(response, 'close');
      called();
    };
    const client = new AbortController();
    const asked = fetch(network.url + IMAGE, {
      method: 'POST',
      signal: client.signal,
      headers: { 'x-api-key': network.apiKey, 'x-wallet-id': wallet, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: PROMPT }),
    });
    await isCalled;
    client.abort();
    await expect(asked).rejects.toThrow();
    await cancelled;
  });
});

describe('a request', () => {
  test('is answered once for each Idempotency-Key', async () => {
    answer = drawn;
    const before = model.received.length;
    const headers = { 'idempotency-key': 'one drawing' };
    const first = await draw({ width: 9 }, headers);
    const second = await draw({ width: 9 }, headers);
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(model.received.length).toBe(before + 1);
    expect((await draw({ width: 10 }, headers)).status).toBe(409);
  });

  test('needs a wallet of the organization', async () => {
    const without = await network.send('POST', IMAGE, { prompt: PROMPT });
    expect([without.status, without.body.property]).toEqual([400, 'x-wallet-id']);
    expect((await draw({}, { 'x-wallet-id': foreign })).status).toBe(403);
    expect((await draw({}, { 'x-wallet-id': '00000000-0000-4000-8000-000000000000' })).status).toBe(404);
  });

  test.each([
    [{ prompt: '' }, 'prompt'],
    [{ prompt: 'x'.repeat(100 * 1024) }, 'prompt'],
    [{ width: 0 }, 'width'],
    [{ height: 4097 }, 'height'],
    [{ width: 1.5 }, 'width'],
    [{ format: 'svg' }, 'format'],
    [{ source_image_urls: ['no address'] }, 'source_image_urls'],
  ])('that is invalid is a 400 with its property', async (body, property) => {
    const { status, body: error } = await draw(body);
    expect([status, error.property]).toEqual([400, property]);
  });

  test('of an organization without space is refused before the model is paid', async () => {
    const filler = 8 * 1024 * 1024;
    await network.sql(
      `insert into media (id, organization_id, app_id, content_type, size, bytes, created_at)
       select 'filler', o.id, a.id, 'image/png', $1::int, '', now() from organization o join app a on a.organization_id = o.id
        where o.id = $2::uuid limit 1`,
      [filler, DEFAULT_ORGANIZATION_ID],
    );
    const before = model.received.length;
    const { status, body } = await draw({});
    expect([status, body.code, body.message]).toEqual([
      403,
      'MediaQuotaExceeded',
      expect.stringContaining('CASTELLAN_MEDIA_QUOTA_MB'),
    ]);
    expect(model.received.length).toBe(before);
    // Nearly full: the image is drawn, but does not fit.
    await network.sql(
      "update media set size = size - 1 - (select coalesce(sum(size), 0) from media where id <> 'filler') where id = 'filler'",
    );
    answer = drawn;
    expect((await draw({ width: 8, height: 8 })).body.code).toBe('MediaQuotaExceeded');
    await network.sql("delete from media where id = 'filler'");
  });

  test('leaves no prompt and no key in the log', () => {
    expect(lines.join('')).toContain('answered 429');
    expect(lines.join('')).not.toMatch(/secret garden|model-key/);
  });
});

describe('without a model', () => {
  const ask = (prompt: string, more: object = {}) =>
    pattern.send('POST', IMAGE, { prompt, ...more }, { 'x-wallet-id': patternWallet });

  test('a development service draws a pattern that depends on the prompt, and says so', async () => {
    const [one, again, other] = [await ask('one'), await ask('one'), await ask('other')];
    expect([one, again, other].map(({ headers }) => headers.get('x-image-generator'))).toEqual(
      Array(3).fill('pattern'),
    );
    const images = await Promise.all([one, again, other].map(async (made) => (await fetchImage(made, pattern)).bytes));
    expect(images[1]).toEqual(images[0]);
    expect(images[2]).not.toEqual(images[0]);
    expect(one.body.image_url).not.toBe(again.body.image_url);
    const wide = await ask('one', { width: 640, height: 100, format: 'webp' });
    const { width, height, format } = await sharp((await fetchImage(wide, pattern)).bytes).metadata();
    expect([width, height, format]).toEqual([640, 100, 'webp']);
    // More than one colour: something was drawn.
    const { channels } = await sharp(images[0]).stats();
    expect(Math.max(...channels.map(({ stdev }) => stdev))).toBeGreaterThan(5);
  });

  test('another service answers 501 and names the setting', async () => {
    const off = await startNetwork({ CASTELLAN_IMAGE_GENERATOR: 'off' });
    const headers = { 'x-wallet-id': await walletOf(off) };
    const { status, body } = await off.send('POST', IMAGE, { prompt: PROMPT }, headers);
    expect([status, body.message]).toEqual([501, expect.stringContaining('CASTELLAN_IMAGE_URL')]);
    await off.stop();
  });
});

test('the size asked of a model has the most similar shape', () => {
  const sizes = [
    [100, 100],
    [1200, 1000],
    [1300, 1000],
    [4096, 1],
    [1000, 1300],
    [1, 4096],
  ].map(([width, height]) => modelSize({ width: width as number, height: height as number }));
  expect(sizes).toEqual(['1024x1024', '1024x1024', '1536x1024', '1536x1024', '1024x1536', '1024x1536']);
});
