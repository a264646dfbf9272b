import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Network, startNetwork } from './support/network.js';
import { type Receiver, startReceiver } from './support/receiver.js';

const IMAGES =
  '<meta property="og:image" content="/first.png"><meta property="og:image:alt" content="No size">' +
  '<meta property="og:image" content="http://images.example/second.jpg">' +
  '<meta property="og:image:secure_url" content="https://images.example/second.jpg">' +
  '<meta property="og:image:width" content="640"><meta property="og:image:height" content="480">' +
  '<meta property="og:image:url" content="/third.gif"><meta property="og:image:type" content="image/gif">' +
  '<meta property="og:video" content="/one.mp4"><meta property="og:video" content="/two.mp4">' +
  '<meta property="og:video:width" content="320">';

/** Members before the address, an address that is given twice, and one that no client can open. */
const UNUSUAL =
  '<meta property="og:image:width" content="7"><meta property="og:image" content="/a.webp">' +
  '<meta property="og:image:url" content="/a.webp"><meta property="og:image:height" content="8">' +
  '<meta property="og:image" content="javascript:alert(1)"><meta property="og:image:width" content="9">' +
  '<meta property="og:image:width" content="10">';

const button = (index: number, title: string, target: string, action = ''): string =>
  `<meta property="fc:frame:button:${index}" content="${title}">` +
  (action && `<meta property="fc:frame:button:${index}:action" content="${action}">`) +
  `<meta property="fc:frame:button:${index}:target" content="${target}">`;
const FRAME =
  '<meta property="fc:frame" content="vNext"><meta property="fc:frame:image" content="/f.png">' +
  button(1, 'Go', 'page?of=2', 'link') +
  button(2, 'On', '/next') +
  button(3, 'Mint', 'eip155:8453:0x01', 'mint') +
  button(4, 'Bad', 'javascript:alert(1)', 'link');

const PAGES = new Map([
  ['/images', IMAGES],
  ['/unusual', UNUSUAL],
  ['/deep/frame', FRAME],
]);

let network: Network;
let pages: Receiver;
beforeAll(async () => {
  network = await startNetwork({ CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' });
  pages = await startReceiver((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(PAGES.get(request.path));
  });
});
afterAll(async () => {
  await network.stop();
  await pages.stop();
});

const metadataOf = async (path: string) => {
  const url = encodeURIComponent(`${pages.url}${path}`);
  const { status, body } = await network.get(`/v2/social/cast/embed/crawl/?url=${url}`);
  expect([status, body.message]).toEqual([200, undefined]);
  return body.metadata;
};

test('sizes, types and secure addresses belong to the image or video that they follow', async () => {
  const { html } = await metadataOf('/images');
  expect(html.ogImage).toEqual([
    { url: `${pages.url}/first.png`, alt: 'No size', type: 'png' },
    { url: 'https://images.example/second.jpg', width: '640', height: '480', type: 'jpg' },
    { url: `${pages.url}/third.gif`, type: 'image/gif' },
  ]);
  expect(html.ogVideo).toEqual([{ url: `${pages.url}/one.mp4` }, { url: `${pages.url}/two.mp4`, width: '320' }]);
});

test('members before the address of the first image are its own, and an image without a web address is left out', async () => {
  const { html } = await metadataOf('/unusual');
  expect(html.ogImage).toEqual([{ url: `${pages.url}/a.webp`, width: '7', height: '8', type: 'webp' }]);
});

test('the target of a button is an address relative to the page, or a token', async () => {
  const { frame } = await metadataOf('/deep/frame');
  expect(frame.buttons).toEqual([
    { index: 1, title: 'Go', action_type: 'link', target: `${pages.url}/deep/page?of=2` },
    { index: 2, title: 'On', action_type: 'post', target: `${pages.url}/next` },
    { index: 3, title: 'Mint', action_type: 'mint', target: 'eip155:8453:0x01' },
    { index: 4, title: 'Bad', action_type: 'link' },
  ]);
});
