import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCrawler } from '../src/crawl/crawler.js';
import { describeUrl } from '../src/crawl/describe-url.js';
import { createPageFetch } from '../src/crawl/page-fetch.js';
import { createOutbound } from '../src/delivery/outbound.js';
import { startNameServer } from './support/dns-server.js';
import { documentReader } from './support/document-reader.js';
import { type Network, startNetwork } from './support/network.js';
import { type Received, type Receiver, startReceiver } from './support/receiver.js';
import { type Seeded, seedBasics } from './support/seed.js';

type Answer = (response: ServerResponse, request: Received) => unknown;

const html =
  (text: string | Uint8Array, type = 'text/html; charset=utf-8', headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(200, { 'content-type': type, ...headers }).end(text);

// 3 x 2 pixels.
const PNG = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  Buffer.from('00000003000000020802000000', 'hex'),
  Buffer.from('12161c4d', 'hex'),
]);
const BOMB = gzipSync(Buffer.alloc(64 * 1024 * 1024));

const MASTER = `#EXTM3U
#EXT-X-STREAM-INF:BANDWIDTH=1280000,RESOLUTION=1280x720,CODECS="avc1.4d401f,mp4a.40.2"
hd/list.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=640000,RESOLUTION=640x360
sd/list.m3u8
`;
const SEGMENTS = `#EXTM3U
#EXT-X-TARGETDURATION:10
#EXTINF:9.5,
a.ts
#EXTINF:3,
b.ts
#EXT-X-ENDLIST
`;

/** Real pages of all kinds, by path. */
const PAGES: Readonly<Record<string, Answer>> = {
  '/plain': html(
    '<!doctype html><html><head><title> Seeds &amp; soil </title>' +
      '<meta name="description" content="What grows where">' +
      '<meta property="og:image" content="/a.png"><meta property="og:image:width" content="600">' +
      '<meta property="og:url" content="javascript:alert(1)"><link rel="icon" href="icon.svg">' +
      '</head><body>Hello</body></html>',
  ),
  '/headless': html('<p>No head at all<meta property="og:title" content="Still a title"><b>bold'),
  '/empty': html(''),
  '/latin': html(Buffer.from('<title>Gr\xfc\xdfe</title>', 'latin1'), 'text/html; charset=iso-8859-1'),
  '/shift-jis': html(
    Buffer.concat([
      Buffer.from('<meta charset="shift_jis"><title>'),
      Buffer.from('93fa967b', 'hex'),
      Buffer.from('</title>'),
    ]),
    'text/html',
  ),
  '/utf-16': html(
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('<title>Zwei</title>', 'utf16le')]),
    'text/html',
  ),
  '/controls': html(`<title>a\u0000b\u202ec\nd</title><meta property="og:description" content="${'x'.repeat(4000)}">`),
  '/gzip': html(gzipSync('<title>Small</title>'), 'text/html', { 'content-encoding': 'gzip' }),
  '/brotli': html(brotliCompressSync('<title>Smaller</title>'), 'text/html', { 'content-encoding': 'br' }),
  '/deflate': html(deflateSync('<title>Older</title>'), 'text/html', { 'content-encoding': 'deflate' }),
  '/bomb': html(BOMB, 'text/html', { 'content-encoding': 'gzip' }),
  '/twice': html(gzipSync(gzipSync('<title>Twice</title>')), 'text/html', { 'content-encoding': 'gzip, gzip' }),
  '/not-gzip': html('<title>Not compressed</title>', 'text/html', { 'content-encoding': 'gzip' }),
  '/long': html(`<title>Long</title>${'<p>'.repeat(700_000)}`),
  '/deep': html(`<title>Deep</title>${'<div>'.repeat(200_000)}`),
  '/miniapp': html(
    `<meta name="fc:miniapp" content='${JSON.stringify({ version: '1', imageUrl: 'https://a.example/i.png', button: { title: 'Play' } })}'>`,
  ),
  '/miniapp-nonsense': html('<meta name="fc:miniapp" content="{"><title>Nonsense</title>'),
  '/vnext': html(
    '<meta property="fc:frame" content="vNext"><meta property="fc:frame:image" content="/f.png">' +
      '<meta property="fc:frame:button:1" content="Go"><meta property="fc:frame:button:1:action" content="link">' +
      '<meta property="fc:frame:button:1:target" content="https://a.example/">',
  ),
  '/oembed': html(
    '<link rel="alternate" type="application/json+oembed" href="/oembed.json?url=x"><title>Video</title>',
  ),
  '/oembed.json?url=x': html(
    JSON.stringify({
      type: 'video',
      version: '1.0',
      title: 'A film',
      html: '<iframe>',
      width: '640',
      height: 360,
      thumbnail_url: 'ftp://x',
    }),
    'application/json',
  ),
  '/oembed-broken': html('<link type="application/json+oembed" href="/drip"><title>Broken</title>'),
  '/a.png': html(PNG, 'image/png'),
  '/not-an-image': html('GIF89', 'image/gif'),
  '/video.m3u8': html(MASTER, 'application/vnd.apple.mpegurl'),
  '/hd/list.m3u8': html(SEGMENTS, 'application/x-mpegURL'),
  '/file.pdf': html('%PDF-1.7', 'application/pdf', { 'content-length': '8' }),
  '/moved': (response) => response.writeHead(302, { location: '/plain#part' }).end(),
  '/loop': (response) => response.writeHead(301, { location: '/loop' }).end(),
  '/to-nothing': (response) => response.writeHead(302).end(),
  '/to-private': (response) => response.writeHead(307, { location: 'http://10.1.2.3/' }).end(),
  '/to-metadata': (response) => response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end(),
  '/to-file': (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/missing': (response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<title>Nothing</title>'),
  '/failing': (response) => response.writeHead(503).end(),
  '/drip': (response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    const timer = setInterval(() => response.write(' '), 20);
    response.once('close', () => clearInterval(timer));
  },
};

let network: Network;
let seeded: Seeded;
let pages: Receiver;

beforeAll(async () => {
  network = await startNetwork({ CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' });
  seeded = await seedBasics((items) => network.load(items));
  pages = await startReceiver((request, response) => {
    const answer = PAGES[request.path];
    if (answer === undefined) response.writeHead(404).end();
    else answer(response, request);
  });
});
afterAll(async () => {
  await network.stop();
  await pages.stop();
});

const crawl = (url: string) => network.get(`/v2/social/cast/embed/crawl/?url=${encodeURIComponent(url)}`);
const metadataOf = async (path: string) => {
  const { status, body } = await crawl(`${pages.url}${path}`);
  expect({ status, message: body.message }).toEqual({ status: 200, message: undefined });
  return body.metadata;
};

test('a page is described in the words of Open Graph', async () => {
  expect(await metadataOf('/plain')).toEqual({
    _status: 'RESOLVED',
    content_type: 'text/html; charset=utf-8',
    content_length: null,
    html: {
      charset: undefined,
      favicon: `${pages.url}/icon.svg`,
      ogTitle: 'Seeds & soil',
      ogDescription: 'What grows where',
      ogImage: [{ url: `${pages.url}/a.png`, width: '600', type: 'png' }],
    },
  });
});

test.each([
  ['/headless', 'Still a title'],
  ['/latin', 'Grüße'],
  ['/shift-jis', '日本'],
  ['/utf-16', 'Zwei'],
  ['/controls', 'a b c d'],
  ['/gzip', 'Small'],
  ['/brotli', 'Smaller'],
  ['/deflate', 'Older'],
  ['/long', 'Long'],
  ['/deep', 'Deep'],
  ['/moved', 'Seeds & soil'],
  ['/miniapp-nonsense', 'Nonsense'],
])('%s is read', async (path, title) => {
  const started = Date.now();
  const { _status, html: found } = await metadataOf(path);
  expect(_status).toBe('RESOLVED');
  // PostgreSQL cannot store the character 0.
  expect(found.ogTitle.replaceAll('\ufffd', ' ').replace(/ +/g, ' ')).toBe(title);
  expect(Date.now() - started).toBeLessThan(3_000);
});

test('a page without a word has no metadata, and is a page', async () => {
  expect(await metadataOf('/empty')).toMatchObject({ _status: 'RESOLVED', html: {} });
});

test('images, playlists and files are described by what they are', async () => {
  expect(await metadataOf('/a.png')).toMatchObject({ content_type: 'image/png', image: { width_px: 3, height_px: 2 } });
  expect(await metadataOf('/not-an-image')).not.toHaveProperty('image');
  expect(await metadataOf('/video.m3u8')).toMatchObject({
    video: {
      duration_s: 12.5,
      stream: [
        { codec_name: 'avc1.4d401f,mp4a.40.2', width_px: 1280, height_px: 720 },
        { width_px: 640, height_px: 360 },
      ],
    },
  });
  expect(await metadataOf('/file.pdf')).toEqual({
    _status: 'RESOLVED',
    content_type: 'application/pdf',
    content_length: 8,
  });
});

test('mini apps, frames and the descriptions of providers are found', async () => {
  expect((await metadataOf('/miniapp')).frame).toEqual({
    version: '1',
    image: 'https://a.example/i.png',
    title: 'Play',
    frames_url: `${pages.url}/miniapp`,
  });
  expect((await metadataOf('/vnext')).frame).toMatchObject({
    version: 'vNext',
    image: `${pages.url}/f.png`,
    buttons: [{ index: 1, title: 'Go', action_type: 'link', target: 'https://a.example/' }],
  });
  expect((await metadataOf('/oembed')).html.oembed).toMatchObject({
    type: 'video',
    title: 'A film',
    width: 640,
    height: 360,
    thumbnail_url: null,
  });
});

test('a URL with a failing or unreadable response gets a _status that says so', async () => {
  expect(await metadataOf('/missing')).toMatchObject({ _status: 'HTTP_ERROR', content_type: 'text/html' });
  expect(await metadataOf('/failing')).toMatchObject({ _status: 'HTTP_ERROR', content_type: null });
  for (const path of ['/twice', '/not-gzip', '/loop', '/to-nothing'])
    expect(await metadataOf(path)).toEqual({ _status: 'UNREADABLE', content_type: null, content_length: null });
});

test('a bomb is read up to the limit of decompressed bytes', async () => {
  expect(await metadataOf('/bomb')).toMatchObject({ _status: 'RESOLVED' });
  const fetchPage = createPageFetch({ outbound: createOutbound({ allowLoopback: true }), clock: Date.now });
  const request = {
    url: new URL(`${pages.url}/bomb`),
    deadline: Date.now() + 5_000,
    maxBytes: 100_000,
    maxRedirects: 0,
  };
  expect((await fetchPage({ ...request, cutsBody: true })).body).toHaveLength(100_000);
  await expect(fetchPage({ ...request, cutsBody: false })).rejects.toMatchObject({ reason: 'too_large' });
});

test('an address that must not be called, and one where nothing answers, get the same words', async () => {
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as AddressInfo;
  closed.close();
  const urls = [
    `http://127.0.0.1:${port}/`,
    'http://10.0.0.1/',
    'http://[::ffff:169.254.169.254]/latest/meta-data/',
    'https://name.invalid/',
    'http://a.example:22/',
    ...['/to-private', '/to-metadata', '/to-file'].map((path) => `${pages.url}${path}`),
  ];
  const answers = await Promise.all(urls.map(crawl));
  for (const { status, body } of answers) {
    expect(status).toBe(400);
    expect(body).toEqual(answers[0]?.body);
  }
  expect(answers[0]?.body).toMatchObject({ message: 'No public server answers at this url.', property: 'url' });
});

test('what is no web address is refused', async () => {
  for (const url of [
    '',
    'nowhere',
    'ftp://a.example/',
    'javascript:1',
    'https://u:p@a.example/',
    `https://a.example/${'x'.repeat(2048)}`,
  ]) {
    const { status, body } = await crawl(url);
    expect({ url, status, property: body.property }).toEqual({ url, status: 400, property: 'url' });
  }
});

describe('a result is stored', () => {
  const asked = () => pages.received.filter(({ path }) => path === '/failing').length;
  const crawler = () => {
    const outbound = createOutbound({ allowLoopback: true });
    const { db } = network.app.core;
    const clock = Date.now;
    return createCrawler({
      db,
      clock,
      fetchPage: createPageFetch({ outbound, clock: Date.now }),
      reader: documentReader,
      changed: () => undefined,
      report: (what, error) => expect.unreachable(`${what}: ${error}`),
    });
  };
  beforeEach(() => network.sql('delete from url_metadata'));

  test('for a day, and once for callers at the same time', async () => {
    const one = crawler();
    const url = `${pages.url}/file.pdf`;
    const count = () => pages.received.filter(({ path }) => path === '/file.pdf').length;
    const before = count();
    await Promise.all([one.read(url), one.read(url), one.read(url)]);
    await crawler().read(url);
    expect(count() - before).toBe(1);
  });

  test('after failures for 10, 20, 40 minutes, and what was found before remains', async () => {
    const one = crawler();
    const url = `${pages.url}/failing`;
    for (const minutes of [10, 20, 40]) {
      await network.sql("update url_metadata set expires_at = now() - interval '1 second'");
      const before = asked();
      await one.read(url);
      expect(asked() - before).toBe(1);
      const [row] = await network.sql<{ minutes: number }>(
        'select round(extract(epoch from expires_at - fetched_at) / 60)::integer as minutes from url_metadata',
      );
      expect(row?.minutes).toBe(minutes);
    }
    await network.sql(
      `update url_metadata set metadata = '{"_status":"RESOLVED","content_type":"text/html"}', expires_at = now() - interval '1 second'`,
    );
    await one.read(url);
    expect(await network.sql('select metadata, failures from url_metadata')).toEqual([
      { metadata: { _status: 'RESOLVED', content_type: 'text/html' }, failures: 4 },
    ]);
  });
});

test('a page that drips is given up in time, and one whose provider drips is described without it', async () => {
  const outbound = createOutbound({ allowLoopback: true });
  const fetchPage = createPageFetch({ outbound, clock: Date.now });
  const describeSoon = (path: string) =>
    describeUrl({ fetchPage, reader: documentReader }, new URL(`${pages.url}${path}`), Date.now() + 1_000);
  // Starts the thread that reads documents.
  await describeSoon('/a.png');
  const started = Date.now();
  const provided = describeSoon('/oembed-broken');
  await expect(describeSoon('/drip')).rejects.toMatchObject({ reason: 'timeout' });
  expect((await provided).html).toEqual({ ogTitle: 'Broken' });
  expect(Date.now() - started).toBeLessThan(4_000);
});

test('a page that cannot be described is reported, and not asked again at once', async () => {
  const { db } = network.app.core;
  const reported: string[] = [];
  let asked = 0;
  const crawler = createCrawler({
    db,
    clock: Date.now,
    reader: documentReader,
    fetchPage: async () => {
      asked++;
      throw new TypeError('no mistake of the page');
    },
    changed: () => undefined,
    report: (what) => reported.push(what),
  });
  const url = 'https://odd.example/';
  for (let n = 0; n < 2; n++) expect(await crawler.read(url)).toMatchObject({ _status: 'UNREADABLE' });
  expect({ asked, reported }).toEqual({ asked: 1, reported: [`the page ${url}`] });
});

test('a name that changes its address between two requests is not followed', async () => {
  const names = await startNameServer({ 'rebind.test': [['127.0.0.1'], ['10.0.0.1']] });
  const outbound = createOutbound({ allowLoopback: true, nameServers: [names.address] });
  const fetchPage = createPageFetch({ outbound, clock: Date.now });
  const request = { deadline: Date.now() + 5_000, maxBytes: 1_000, cutsBody: true, maxRedirects: 5 };
  const url = new URL(`http://rebind.test:${pages.port}/moved`);
  await expect(fetchPage({ url, ...request })).rejects.toMatchObject({ reason: 'address' });
  await names.stop();
});

test('casts show what was found at the addresses that they embed', async () => {
  const url = `${pages.url}/plain`;
  const cast = seeded.alice.cast({ text: 'Look', embeds: [url, `${pages.url}/missing`, 'constructor'] });
  await seeded.send(cast);
  const read = async () => {
    const { body } = await network.get(
      `/v2/social/cast/?type=hash&identifier=0x${Buffer.from(cast.hash).toString('hex')}`,
    );
    return body.cast.embeds;
  };
  await network.sql('delete from url_metadata');
  // The protocol allows any text as an address, also the name of a member that all objects have.
  const others = [{ url: `${pages.url}/missing` }, { url: 'constructor' }];
  expect(await read()).toEqual([{ url }, ...others]);
  await crawl(url);
  await crawl(`${pages.url}/missing`);
  expect(await read()).toEqual([
    {
      url,
      metadata: expect.objectContaining({
        _status: 'RESOLVED',
        html: expect.objectContaining({ ogTitle: 'Seeds & soil' }),
      }),
    },
    ...others,
  ]);
});
