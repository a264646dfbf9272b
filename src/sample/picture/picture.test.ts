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
    expect(picture?.length).toBeLessThan(20_000);
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

test('casts have seven motifs, and accounts six', () => {
  const names = Array.from({ length: 80 }, (_, index) => String(index));
  const titles = names.map((name) => /aria-label="([^"]*)"/.exec(renderPicture('cast', name) as string)?.[1]);
  expect(new Set(titles).size).toBe(7);
  const shapes = names.map((name) => {
    const [, drawn = ''] = (renderPicture('avatar', name) as string).split('opacity=".1"/>');
    return drawn.slice(0, 4) + (drawn.match(/<ellipse|<rect|<path/g)?.[0] ?? '');
  });
  expect(new Set(shapes).size).toBeGreaterThanOrEqual(5);
  for (const name of names) {
    expect(renderPicture('cast', name)).not.toMatch(/NaN|undefined/);
    expect(renderPicture('cast', name)?.length).toBeLessThan(20_000);
  }
});
