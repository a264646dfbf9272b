import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Network, startNetwork } from './support/network.js';
import { type Receiver, startReceiver } from './support/receiver.js';

/** Documents whose text is meant to reach where it does not belong, with their types, by path. */
const DOCUMENTS: Readonly<Record<string, readonly [string, string]>> = {
  '/members.m3u8': [
    `#EXTM3U\n#EXT-X-MEDIA:TYPE=__proto__,GROUP-ID="get",NAME="y"\n#EXT-X-MEDIA:TYPE=constructor,GROUP-ID="prototype",NAME="z"\n`,
    'application/vnd.apple.mpegurl',
  ],
  '/sizes.m3u8': [
    `#EXTM3U\n#EXT-X-STREAM-INF:RESOLUTION=${'9'.repeat(400)}x-5,CODECS="x"\nmembers.m3u8\n`,
    'application/vnd.apple.mpegurl',
  ],
  '/infinite.svg': ['<svg width="1e400" height="1e400">', 'image/svg+xml'],
  '/huge.svg': ['<svg width="9e15em" height="1e300em">', 'image/svg+xml'],
  '/fraction.svg': ['<svg width="12.6" height="7.2">', 'image/svg+xml'],
  '/unseen.svg': ['<svg width="0" viewBox="a b c d">', 'image/svg+xml'],
  '/described.html': ['<title>Described</title><link type="application/json+oembed" href="/oembed.json">', 'text/html'],
  '/oembed.json': ['{"version":"1.0","type":{"toString":1,"valueOf":1}}', 'application/json'],
  '/text.ppm': ['P6\nabc def\n255\n', 'image/x-portable-pixmap'],
  '/negative.pam': ['P7\nWIDTH -5\nHEIGHT 1e99\nENDHDR\n', 'image/x-portable-arbitrarymap'],
};

let network: Network;
let pages: Receiver;

beforeAll(async () => {
  network = await startNetwork({ CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' });
  pages = await startReceiver(({ path }, response) => {
    const [body, type] = DOCUMENTS[path] as readonly [string, string];
    response.writeHead(200, { 'content-type': type }).end(body);
  });
});
afterAll(async () => {
  await network.stop();
  await pages.stop();
});

const metadataOf = async (path: string) => {
  const url = encodeURIComponent(`${pages.url}${path}`);
  const { status, body } = await network.get(`/v2/social/cast/embed/crawl/?url=${url}`);
  expect({ status, message: body.message }).toEqual({ status: 200, message: undefined });
  return body.metadata;
};

test('a playlist that names members of all objects adds none to them', async () => {
  const members = Object.getOwnPropertyNames(Object.prototype);
  expect(await metadataOf('/members.m3u8')).toMatchObject({ _status: 'RESOLVED', video: { stream: [] } });
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(members);
});

test.each([['/infinite.svg'], ['/huge.svg'], ['/unseen.svg'], ['/text.ppm'], ['/negative.pam']])(
  'a picture whose sides are no number of pixels has no size: %s',
  async (path) => {
    expect(await metadataOf(path)).not.toHaveProperty('image');
  },
);

test('a picture with fractions of pixels has the nearest whole size', async () => {
  expect((await metadataOf('/fraction.svg')).image).toEqual({ width_px: 13, height_px: 7 });
});

test('a resolution that is no number of pixels is left out', async () => {
  expect((await metadataOf('/sizes.m3u8')).video).toEqual({ stream: [{ codec_name: 'x' }] });
});

test('a page whose oEmbed is nonsense is described without it', async () => {
  const { _status, html } = await metadataOf('/described.html');
  expect([_status, html.ogTitle, html.oembed]).toEqual(['RESOLVED', 'Described', undefined]);
});
