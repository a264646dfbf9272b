import { deflateSync } from 'node:zlib';

/** What a stranger's server answers. */
export interface HostileDocument {
  readonly name: string;
  readonly type: string;
  readonly body: string | Buffer;
  /** What it refers to as `linked`. */
  readonly linked?: { readonly type: string; readonly body: string };
}

const MIB = 1024 * 1024;

/** Names of members that all objects have, and others that software gives a meaning. */
const KEYS = ['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'then', 'length', '', '0', 'get', 'set'];
const NUMBERS = ['1e400', '-1e400', 'NaN', '-5', '0', '-0', '1.5', '9'.repeat(40), '0x10', '1e-400', '12px', '٣', ''];

const fill = (text: string, size = MIB): string => text.repeat(Math.ceil(size / text.length)).slice(0, size);

const page = (name: string, body: string): HostileDocument => ({ name: `page, ${name}`, type: 'text/html', body });
const PAGES: readonly HostileDocument[] = [
  ...KEYS.map((key) =>
    page(
      `member ${key}`,
      `<meta property="${key}" content="${key}"><meta name="og:${key}" content="x"><meta ${key || 'x'}="y" property="og:title" content="t">`,
    ),
  ),
  ...KEYS.map((key) =>
    page(
      `mini app with ${key}`,
      `<meta name="fc:miniapp" content='{"${key}":{"${key}":1},"version":"1","imageUrl":"x"}'>`,
    ),
  ),
  ...NUMBERS.map((number) =>
    page(
      `size ${number}`,
      `<meta property="og:image" content="/a.png"><meta property="og:image:width" content="${number}">`,
    ),
  ),
  page('a tag with 100,000 attributes', `<a ${Array.from({ length: 100_000 }, (_, n) => `a${n}=x`).join(' ')}>`),
  page('a megabyte of attributes of one meta', `<meta ${fill('content=x ')}>`),
  page('a megabyte of open tags', fill('<div>')),
  page('a megabyte of titles', fill('<title>')),
  page('a megabyte of titles that end', fill('<title></title>')),
  page('a megabyte of meta tags', fill('<meta property="og:image" content="/a.png">')),
  page('a megabyte of links', fill('<link rel="icon" href="/i">')),
  page('a megabyte of entities', `<title>${fill('&amp;')}</title>`),
  page('a megabyte of half entities', `<title>${fill('&')}</title>`),
  page('a megabyte of comments', fill('<!---->')),
  page('a megabyte of an open comment', `<!--${fill('-')}`),
  page('a megabyte of spaces in a tag', `<meta${fill(' ')}>`),
  page('a megabyte of quotes', fill('"\'')),
  page('a megabyte of a description', `<meta name="description" content="${fill('x')}">`),
  page('encodings in turn', fill('<meta charset="utf-16"><meta charset="shift_jis">')),
  page('a deep mini app', `<meta name="fc:miniapp" content='${fill('[', 4_000)}'>`),
  page('an oembed of itself', '<link type="application/json+oembed" href="?">'),
];

const playlist = (name: string, body: string): HostileDocument => ({
  name: `playlist, ${name}`,
  type: 'application/vnd.apple.mpegurl',
  body: `#EXTM3U\n${body}\n`,
});
const PLAYLISTS: readonly HostileDocument[] = [
  ...KEYS.flatMap((key) => [
    playlist(`media of type ${key}`, `#EXT-X-MEDIA:TYPE=${key},GROUP-ID="${key}",NAME="y"`),
    playlist(`media of type __proto__ in ${key}`, `#EXT-X-MEDIA:TYPE=__proto__,GROUP-ID="${key}",NAME="y"`),
    playlist(`media of type constructor in ${key}`, `#EXT-X-MEDIA:TYPE=constructor,GROUP-ID="prototype",NAME="${key}"`),
    playlist(`variant with ${key}`, `#EXT-X-STREAM-INF:${key}=1,RESOLUTION=1x1\na`),
    playlist(`tag ${key}`, `#EXT-X-${key}:1\n#EXT-X-KEY:METHOD=${key},URI="${key}"\n#EXT-X-MAP:URI="${key}"`),
  ]),
  ...NUMBERS.map((number) =>
    playlist(
      `size and duration ${number}`,
      `#EXTINF:${number},\na\n#EXT-X-STREAM-INF:RESOLUTION=${number}x${number}\na\n#EXT-X-ENDLIST`,
    ),
  ),
  playlist('a megabyte of short segments', `${fill('#EXTINF:1,\na\n')}\n#EXT-X-ENDLIST`),
  playlist('a megabyte of variants', fill('#EXT-X-STREAM-INF:A=1\na\n')),
  playlist('a megabyte of commas', `#EXT-X-STREAM-INF:${fill(',')}`),
  playlist('a megabyte of dates', fill('#EXT-X-DATERANGE:ID="a",START-DATE="2020-01-01T00:00:00Z"\n')),
  playlist('a megabyte of empty lines', fill('\n')),
  playlist('a megabyte of comments', fill('#\n')),
  playlist('a variant that is itself', '#EXT-X-STREAM-INF:BANDWIDTH=1\n?'),
];

const image = (name: string, type: string, body: string | Buffer): HostileDocument => ({
  name: `image, ${name}`,
  type: `image/${type}`,
  body,
});
const repeated = (start: string, part: string): Buffer => {
  const [head, unit] = [Buffer.from(start, 'hex'), Buffer.from(part, 'hex')];
  return Buffer.concat([head, ...Array.from({ length: Math.floor(MIB / unit.length) }, () => unit)]);
};
const IMAGES: readonly HostileDocument[] = [
  ...NUMBERS.flatMap((number) => [
    image(`SVG of ${number}`, 'svg+xml', `<svg width="${number}" height="${number}em">`),
    image(`SVG with a view of ${number}`, 'svg+xml', `<svg width="0" viewBox="0 0 ${number} ${number}">`),
    image(`PPM of ${number}`, 'x-portable-pixmap', `P6\n${number} ${number}\n255\n`),
    image(`PAM of ${number}`, 'x-portable-arbitrarymap', `P7\nWIDTH ${number}\nHEIGHT ${number}\nENDHDR\n`),
  ]),
  image('JPEG with a megabyte of empty segments', 'jpeg', repeated('ffd8', 'ffe00002')),
  image('JPEG with a megabyte of zeros', 'jpeg', repeated('ffd8ffe00000', '00')),
  image('ICNS with a megabyte of empty entries', 'icns', repeated('69636e7300100000', '4943304e00000000')),
  image('ICNS with a megabyte of entries', 'icns', repeated('69636e7300100000', '4943304e00000008')),
  image('TIFF with a megabyte of entries', 'tiff', repeated('49492a0008000000ffff', '000103000100000000000000')),
  image('GIF of nothing', 'gif', 'GIF89a'),
  image('PNG of 2^32', 'png', Buffer.from('89504e470d0a1a0a0000000d49484452ffffffffffffffff0802000000', 'hex')),
  image(
    'PNG that is a bomb',
    'png',
    Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), deflateSync(Buffer.alloc(MIB))]),
  ),
  image('WebP of nothing', 'webp', Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBPVP8X'), Buffer.alloc(20, 0xff)])),
  image('SVG of a megabyte of spaces', 'svg+xml', `<svg ${fill(' ')}`),
  image('SVG of a megabyte of attributes', 'svg+xml', `<svg ${fill('width="')}`),
  image(
    'HEIF of a megabyte of boxes',
    'heif',
    repeated('0000001066747970686569630000000000000008', '0000000869737065'),
  ),
  image('JPEG XL of a megabyte', 'jxl', repeated('0000000c4a584c200d0a870a', '000000086a786c70')),
];

const oembed = (name: string, body: string): HostileDocument => ({
  ...page(`described by ${name}`, '<link type="application/json+oembed" href="linked">'),
  linked: { type: 'application/json', body },
});
const OEMBEDS: readonly HostileDocument[] = [
  ...KEYS.map((key) => oembed(`type ${key}`, `{"type":"${key}","${key}":{"${key}":1},"version":"1.0"}`)),
  ...NUMBERS.map((number) =>
    oembed(
      `size ${number}`,
      `{"type":"photo","version":"1.0","url":"/a","width":"${number}","height":${Number(number) || 0}}`,
    ),
  ),
  oembed('depth', fill('[', 60_000)),
  oembed('a long number', `{"type":"link","width":${fill('9', 60_000)}}`),
  {
    ...playlist('with a variant of a megabyte', '#EXT-X-STREAM-INF:BANDWIDTH=1\nlinked'),
    linked: { type: 'application/vnd.apple.mpegurl', body: fill('#EXTINF:1,\na\n') },
  },
];

/** About 200 documents that took down, slowed, or falsified what parses them, or could. */
export const hostileDocuments = (): readonly HostileDocument[] => [...PAGES, ...PLAYLISTS, ...IMAGES, ...OEMBEDS];
