import { expect, test } from 'vitest';
import { renderPicture } from './picture.js';
import { PICTURE_KINDS } from './picture-address.js';

test('the same name gives the same picture, another name or kind another one', () => {
  const all = PICTURE_KINDS.flatMap((kind) => ['1', '2', 'dev'].map((name) => renderPicture(kind, name)));
  expect(new Set(all).size).toBe(all.length);
  expect(renderPicture('avatar', '1')).toBe(all[0]);
  for (const picture of all) {
    expect(picture).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="\d+" height="\d+" .*<\/svg>\n$/);
    expect(picture).not.toMatch(/<script|href|NaN|undefined/);
    expect(picture?.length).toBeLessThan(10_000);
  }
});

test('there is no picture of another kind, and none whose name could be markup', () => {
  for (const [kind, name] of [
    ['other', '1'],
    ['__proto__', '1'],
    ['avatar', ''],
    ['avatar', '"><script>'],
    ['avatar', 'a'.repeat(33)],
  ] as const)
    expect(renderPicture(kind, name)).toBeUndefined();
});
