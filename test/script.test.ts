import { UserDataType } from '@farcaster/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromUnixMs } from '../src/protocol/time.js';
import { countTopics } from '../src/topic/run.js';
import { storeChannels } from './support/channel.js';
import { storeMiniApps } from './support/mini-app-catalog.js';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';
import { approvedSigner } from './support/signer.js';

/** Text of 24 scripts: search for casts and users, counts, mentions and topics find what a person of the language types. */

/** Script; text as people write it; a word of it as they type it. Several words stand beside others without a space. */
const SCRIPTS = [
  ['Latin', 'Tôi thích cà phê sữa', 'phê'],
  ['Cyrillic', 'Сегодня Привет миру', 'привет'],
  ['Greek', 'Καλημέρα Αθήνα', 'ΑΘΉΝΑ'],
  ['Armenian', 'Բարև Երևան', 'երևան'],
  ['Georgian', 'გამარჯობა თბილისი', 'თბილისი'],
  ['Hebrew', 'שלום עולם', 'שלום'],
  ['Arabic', 'مرحبا بالعالم', 'مرحبا'],
  ['Ethiopic', 'ሰላም አዲስ አበባ', 'አበባ'],
  ['Devanagari', 'अनिका को हिन्दी पसंद है', 'हिन्दी'],
  ['Bengali', 'আমি বাংলায় গান গাই', 'বাংলায়'],
  ['Gurmukhi', 'ਸਤ ਸ੍ਰੀ ਅਕਾਲ ਪੰਜਾਬੀ', 'ਪੰਜਾਬੀ'],
  ['Gujarati', 'ગુજરાતી ભાષા', 'ભાષા'],
  ['Tamil', 'வணக்கம் தமிழ் நாடு', 'தமிழ்'],
  ['Telugu', 'నమస్కారం తెలుగు', 'తెలుగు'],
  ['Kannada', 'ಕನ್ನಡ ಮಾತು', 'ಕನ್ನಡ'],
  ['Malayalam', 'മലയാളം സംസാരം', 'മലയാളം'],
  ['Sinhala', 'සිංහල භාෂාව', 'සිංහල'],
  ['Thai', 'การทดสอบภาษาไทย', 'ทดสอบ'],
  ['Lao', 'ພາສາລາວງາມ', 'ລາວ'],
  ['Myanmar', 'ငါမြန်မာစာလှတယ်', 'မြန်မာ'],
  ['Khmer', 'ភាសាខ្មែរស្អាត', 'ខ្មែរ'],
  ['Han', '这是一个测试', '测试'],
  ['Kana and Han', '東京タワーへ行く', '東京'],
  ['Katakana of half width', 'これはテストです', 'ﾃｽﾄ'],
  ['Hangul', '번역을 부탁해', '번역'],
] as const;

const NOW = Date.UTC(2026, 5, 1, 12);
const DAY = 86_400;

let network: Network;
let seeded: Seeded;
let hashes: Map<string, string>;

beforeAll(async () => {
  network = await startNetwork({}, undefined, { clock: () => NOW });
  seeded = await seedBasics(
    async (items) => {
      expect((await network.load(items)).invalid).toEqual({});
    },
    fromUnixMs(NOW) - 9 * DAY,
  );
  const casts = SCRIPTS.map(([script, text]) => ({ script, cast: seeded.alice.cast({ text }) }));
  await seeded.send(...casts.map(({ cast }) => cast));
  await storeChannels(
    network.app.core.db,
    SCRIPTS.map(([, name], n) => ({ id: `script${n}`, name, parentUrl: `https://script.example/${n}` })),
  );
  await storeMiniApps(
    network,
    SCRIPTS.map(([, name], n) => ({ domain: `script${n}.example`, name, authorFid: FIDS.carol })),
  );
  hashes = new Map(casts.map(({ script, cast }) => [script, `0x${Buffer.from(cast.hash).toString('hex')}`]));
});
afterAll(() => network.stop());

const get = async (path: string, query: Record<string, string | number>) => {
  const { status, body } = await network.get(`${path}?${new URLSearchParams(query as Record<string, string>)}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};
const hashesOf = (casts: readonly { readonly hash: string }[]) => casts.map(({ hash }) => hash);

describe('a cast', () => {
  test.each(SCRIPTS)('%s: %s is found and counted by %s, and no other is', async (script, _text, word) => {
    for (const q of [word, `"${word}"`]) {
      const { result } = await get('/v2/social/cast/search/', { q });
      expect(hashesOf(result.casts)).toEqual([hashes.get(script)]);
      const { metrics } = await get('/v2/social/cast/metrics/', { q, interval: '30d' });
      expect(metrics.reduce((sum: number, one: { cast_count: number }) => sum + one.cast_count, 0)).toBe(1);
    }
  });

  test('is not found by the letters of a word in another order, or with other marks', async () => {
    for (const q of ['京東', '試测', 'हन्दी', 'तमिल', 'ขมแร']) {
      expect((await get('/v2/social/cast/search/', { q })).result.casts, q).toEqual([]);
    }
  });
});

/** Display names as their users and others type them. */
const NAMES = [
  ['अनिका शर्मा', ['अनिका शर्मा', 'शर्मा', 'अनिका']],
  ['田中 太郎', ['田中', '太郎', '田', '田中 太郎']],
  ['สมชาย ใจดี', ['สมชาย', 'ใจดี', 'สมชาย ใจดี']],
  ['கமலா', ['கமலா']],
  ['김민준', ['김', '민준', '김민준']],
  ['🎩 Degen', ['🎩', 'degen', '🎩 degen']],
  ['Jo Li', ['jo', 'li', 'JO LI']],
  ['𝓐𝓵𝓲𝓬𝓲𝓪', ['alicia', '𝓐𝓵𝓲']],
  ['Ａｎｎ', ['ann', 'Ａｎｎ']],
  ['👩🏽‍🚀', ['👩🏽‍🚀', '👩']],
  ...SCRIPTS.map(([, , word]) => [`Jo ${word}`, [word]] as const),
] as const;

describe('a user', () => {
  test.each(NAMES)('%s is found by %j', async (name, words) => {
    await seeded.send(seeded.heidi.userData(UserDataType.DISPLAY, name));
    for (const q of words) {
      const { result } = await get('/v2/social/user/search/', { q });
      const fids = result.users.map(({ fid }: { fid: number }) => fid);
      expect(fids, q).toContain(FIDS.heidi);
    }
    const { result } = await get('/v2/social/user/search/', { q: 'ゑ' });
    expect(result.users).toEqual([]);
  });
});

test.each(SCRIPTS)('%s: a channel and a mini app named %s are found by %s', async (_script, text, word) => {
  const { channels } = await get('/v2/social/channel/search/', { q: word });
  expect(channels.map(({ name }: { name: string }) => name)).toEqual([text]);
  const { frames } = await get('/v2/social/frame/search/', { q: word });
  expect(frames.map(({ title }: { title: string }) => title)).toEqual([text]);
});

test('a name between letters of any script is a mention', async () => {
  const { uuid } = await approvedSigner(network, seeded.alice);
  for (const [script, , word] of SCRIPTS) {
    const text = script === 'Latin' ? `${word} @bob ${word}` : `${word}@bob${word}`;
    const { status, body } = await network.send('POST', '/v2/social/cast/', { signer_uuid: uuid, text });
    expect(status, JSON.stringify(body)).toBe(200);
    const { cast } = await get('/v2/social/cast/', { type: 'hash', identifier: body.cast.hash });
    expect(cast.text).toBe(text);
    expect(
      cast.mentioned_profiles.map(({ fid }: { fid: number }) => fid),
      text,
    ).toEqual([FIDS.bob]);
  }
});

test('a hashtag of any script is a topic, with its feed', async () => {
  const { alice, bob, carol, dan, erin, frank, grace, heidi } = seeded;
  const now = fromUnixMs(NOW);
  const daily = [alice, bob, carol, dan, erin, frank, grace, heidi].flatMap((one) =>
    Array.from({ length: 8 }, (_, day) => one.cast({ text: 'gm', at: now - day * DAY - 3600 })),
  );
  const tagged = SCRIPTS.map(([, , word], n) =>
    [bob, carol, dan, erin, frank].map((one) => one.cast({ text: `#${word} !`, at: now - 60 - n })),
  );
  await network.load([...daily, ...tagged.flat()].map(({ item }) => item));
  const { core, invalidate: changed } = network.app;
  await countTopics({
    ...{ db: core.db, now: NOW + 1000, model: undefined, changed, warn: () => expect.unreachable() },
    signal: new AbortController().signal,
  });
  const { topics } = await get('/v2/social/topic/trending/', { limit: 25 });
  const slugOf = (word: string) => (word === 'phê' ? 'phe' : word.normalize('NFKC').toLowerCase());
  const slugs: string[] = topics.map(({ slug }: { slug: string }) => slug);
  expect(slugs.toSorted()).toEqual(SCRIPTS.map(([, , word]) => slugOf(word)).toSorted());
  for (const [n, [, , word]] of SCRIPTS.entries()) {
    const slug = slugOf(word);
    const { casts } = await get('/v2/social/feed/topic/', { slug, limit: 100 });
    const wanted = (tagged[n] ?? []).map(({ hash }) => `0x${Buffer.from(hash).toString('hex')}`);
    expect(hashesOf(casts), word).toEqual(expect.arrayContaining(wanted));
  }
});
