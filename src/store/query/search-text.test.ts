import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.js';

let fixture: TestDatabase;
beforeAll(async () => {
  fixture = await openTestDatabase();
});
afterAll(() => fixture.drop());

const LETTER_ALONE =
  /^(?=\p{L})[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Bopo}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tale}\p{sc=Talu}\p{sc=Lana}\p{sc=Tavt}ー〆〼〱-〵]$/u;

/** All letters and marks that NFKC leaves as they are. */
const characters = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((one) => /[\p{L}\p{M}]/u.test(one) && one.normalize('NFKC') === one);

test('letters of scripts without spaces stand alone, and all others stay in their word', async () => {
  const rows = await fixture.db.run<{ one: string; text: string }>(
    `select c.one, search_text('x' || c.one || 'ж') as text from unnest($1::text[]) c(one)`,
    [characters],
  );
  expect(rows.length).toBeGreaterThan(100_000);
  const wrong = rows.filter(({ one, text }) => {
    const wanted = LETTER_ALONE.test(one) ? `x ${one} ж` : `x${one}ж`.normalize('NFKC');
    return text !== wanted;
  });
  expect(wrong.map(({ one }) => one.codePointAt(0)?.toString(16))).toEqual([]);
});

test('marks stay with their letter', async () => {
  const textOf = async (content: string) =>
    (await fixture.db.run<{ text: string }>('select search_text($1) as text', [content]))[0]?.text;
  expect(await textOf('ที่นี่')).toBe(' ที่  นี่ ');
  expect(await textOf('မြန်မာ')).toBe(' မြ  န်  မာ ');
  expect(await textOf('か\u3099ｶﾞ')).toBe(' が  ガ ');
  expect(await textOf('हिन्दी שָׁלוֹם cafe\u0301')).toBe('हिन्दी שָׁלוֹם café'.normalize('NFKC'));
});
