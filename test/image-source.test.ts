import type { ServerResponse } from 'node:http';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_ORGANIZATION_ID } from '../src/access/key.js';
import { makeWallet } from '../src/onchain/transaction/wallet.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { type Received, type Receiver, startReceiver } from './support/receiver.js';

const solid = (width: number, height: number, format: 'png' | 'jpeg' | 'gif' = 'png'): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#aa3311' } })
    .toFormat(format)
    .toBuffer();

let model: Receiver;
let network: Network;
let wallet: string;

beforeAll(async () => {
  model = await startReceiver(async (_, response) => {
    const image = (await solid(30, 20)).toString('base64');
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ data: [{ b64_json: image }] }));
  });
  network = await startNetwork({
    CASTELLAN_IMAGE_URL: `${model.url}/v1`,
    CASTELLAN_IMAGE_KEY: 'model-key-1234567890',
    CASTELLAN_IMAGE_MODEL: 'plain',
    CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true',
  });
  const { app, config } = network;
  const owner = { organizationId: DEFAULT_ORGANIZATION_ID, name: 'test', now: new Date() };
  wallet = (await makeWallet(app.core.db, config.masterKey, owner)).id;
});
afterAll(async () => {
  await network.stop();
  await model.stop();
});

const draw = (body: object): Promise<TestResponse> =>
  network.send('POST', '/v2/social/nft/image/', { prompt: 'a lighthouse', ...body }, { 'x-wallet-id': wallet });

test('source images are sent to the model as PNG without metadata', async () => {
  const photo = await sharp(await solid(30, 20))
    .withExif({ IFD0: { Copyright: 'somebody' } })
    .jpeg()
    .toBuffer();
  const files: Record<string, Buffer> = { '/a.jpg': photo, '/b.gif': await solid(8, 8, 'gif') };
  const sources = await startReceiver(({ path }, response) => void response.end(files[path]));
  const made = await draw({ source_image_urls: Object.keys(files).map((path) => sources.url + path), height: 512 });
  expect(made.status).toBe(200);
  const { path, body, headers } = model.received.at(-1) as Received;
  expect([path, headers['content-type']]).toEqual([
    '/v1/images/edits',
    expect.stringMatching(/^multipart\/form-data; boundary=/),
  ]);
  expect(body.match(/name="image\[\]"; filename="image-\d\.png"/g)).toHaveLength(2);
  expect(body).toContain('name="size"\r\n\r\n1536x1024');
  expect(body).not.toContain('somebody');
  await sources.stop();
});

test('source images that cannot be used are a 400 that names the entry', async () => {
  const large = Buffer.alloc(10 * 1024 * 1024 + 1);
  const png = await solid(10, 10);
  const files: Record<string, Buffer> = {
    '/good.png': png,
    '/drawing.svg': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'),
    '/cut.png': png.subarray(0, 40),
    '/large.png': large,
  };
  const sources = await startReceiver(({ path }, response) => {
    if (path === '/moved.png') response.writeHead(302, { location: '/good.png' }).end();
    else response.writeHead(files[path] ? 200 : 404).end(files[path]);
  });
  const good = `${sources.url}/good.png`;
  const before = model.received.length;
  const cases = [
    ['/drawing.svg', 'is not a PNG'],
    ['/cut.png', 'is damaged'],
    ['/large.png', 'more than 10485760 bytes'],
    ['/moved.png', 'redirects are not followed'],
    ['/absent.png', 'answered 404'],
  ];
  for (const [path, words] of cases) {
    const { status, body } = await draw({ source_image_urls: [good, sources.url + path] });
    expect([status, body.property]).toEqual([400, 'source_image_urls']);
    expect(body.message).toMatch(new RegExp(`^source_image_urls\\[1\\].*${words}`));
  }
  const inside = await draw({ source_image_urls: ['http://10.0.0.1/a.png'] });
  expect([inside.status, inside.body.message]).toEqual([400, expect.stringContaining('source_image_urls[0]')]);
  expect((await draw({ source_image_urls: Array(6).fill(good) })).body.property).toBe('source_image_urls');
  expect(model.received.length).toBe(before);
  await sources.stop();
});

test('source images are not loaded any longer once one of them cannot be used', async () => {
  const open = new Set<ServerResponse>();
  const sources = await startReceiver(({ path }, response) => {
    if (path === '/absent.png') return void response.writeHead(404).end();
    open.add(response.on('close', () => open.delete(response)));
    // Never ends.
    response.writeHead(200).write('x');
  });
  const urls = ['/slow-1.png', '/slow-2.png', '/absent.png'].map((path) => sources.url + path);
  expect((await draw({ source_image_urls: urls })).status).toBe(400);
  await expect.poll(() => open.size, { timeout: 2_000 }).toBe(0);
  await sources.stop();
});

test('source images of more pixels than can be asked for are refused, except large photos', async () => {
  const files: Record<string, Buffer> = {
    '/large.png': await solid(5000, 5000),
    '/photo.jpg': await solid(5000, 5000, 'jpeg'),
  };
  const sources = await startReceiver(({ path }, response) => void response.end(files[path]));
  const refused = await draw({ source_image_urls: [`${sources.url}/large.png`] });
  expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('too many pixels')]);
  expect((await draw({ source_image_urls: [`${sources.url}/photo.jpg`] })).status).toBe(200);
  await sources.stop();
});
