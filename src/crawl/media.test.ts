import { expect, test } from 'vitest';
import { readImage, readPlaylist } from './media.js';

/** Processor time of a synchronous call, in seconds. */
const secondsOf = (work: () => void): number => {
  const began = process.cpuUsage();
  work();
  return process.cpuUsage(began).user / 1_000_000;
};

const SEGMENTS = '#EXTM3U\n#EXTINF:9.5,\na.ts\n#EXTINF:3,\nb.ts\n#EXT-X-ENDLIST\n';

/** A box of the ISO base media file format. */
const box = (type: string, ...content: Uint8Array[]): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), ...content]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(body.length + 4);
  return Buffer.concat([size, body]);
};

/** @returns an image that says its size this many times */
const heif = (sizes: number): Buffer => {
  const noFlags = Buffer.alloc(4);
  const size = box('ispe', noFlags, Buffer.from('0000000800000004', 'hex'));
  const properties = box('ipco', ...Array.from({ length: sizes }, () => size));
  const brands = [Buffer.from('heic'), noFlags, Buffer.from('mif1')];
  return Buffer.concat([box('ftyp', ...brands), box('meta', noFlags, box('iprp', properties))]);
};

test.each([
  ['one long list of attributes', `#EXT-X-STREAM-INF:${','.repeat(150_000)}`],
  ['one long attribute', `#EXT-X-MEDIA:X=a${' '.repeat(300_000)}b`],
  ['many lists of attributes', `#EXT-X-MEDIA:${','.repeat(2_000)}\n`.repeat(400)],
  ['a list of attributes after a space', `  #EXT-X-STREAM-INF:${','.repeat(150_000)}`],
])('a playlist with %s is read at once', (_, tags) => {
  const seconds = secondsOf(() => expect(readPlaylist(`${SEGMENTS}${tags}`).duration).toBe(12.5));
  expect(seconds).toBeLessThan(1);
});

test('an image with many sizes is read at once', () => {
  expect(readImage(heif(1))).toEqual({ width_px: 8, height_px: 4 });
  expect(secondsOf(() => void readImage(heif(50_000)))).toBeLessThan(1);
});
