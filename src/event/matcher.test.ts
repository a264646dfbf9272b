import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CastFacts } from '../hydrate/cast-facts.js';
import { EVENT_TYPES, type SocialEvent } from '../protocol/event/social-event.js';
import type { WebhookSubscriptionFilters } from '../schema/event/webhook.js';
import { explainMatch } from './match-report.js';
import { Matcher } from './matcher.js';
import { compilePattern } from './pattern.js';

const HASHES = ['aa', 'bb', 'cc'].map((byte) => byte.repeat(20));
const URLS = ['https://a.example/', 'https://b.example/x', 'chain://c'];
const aliasesOf = (url: string): readonly string[] =>
  url === URLS[0] || url === URLS[2] ? ([URLS[0], URLS[2]] as string[]) : [];

const isFound = (pattern: string, text: string): boolean => compilePattern(pattern, 'text').test(text);

const fid = fc.integer({ min: 1, max: 4 });
const hash = fc.constantFrom(...HASHES);
const url = fc.constantFrom(...URLS);
const list = <T>(item: fc.Arbitrary<T>) => fc.uniqueArray(item, { minLength: 1, maxLength: 2 });
const storedHash = hash.map((digits) => `0x${digits}`);

const castFilter = fc.record(
  {
    author_fids: list(fid),
    exclude_author_fids: list(fid),
    mentioned_fids: list(fid),
    parent_author_fids: list(fid),
    parent_hashes: list(storedHash),
    parent_urls: list(url),
    root_parent_urls: list(url),
    embedded_cast_hashes: list(storedHash),
    embedded_cast_author_fids: list(fid),
    text: fc.constantFrom('gm', '(?i)^TOMATO', 'o\\z'),
    embeds: fc.constantFrom('b\\.example', 'nothing'),
    minimum_author_score: fc.constantFrom(0.3, 0.6),
  },
  { requiredKeys: [] },
);
const followFilter = fc.record({ fids: list(fid), target_fids: list(fid) }, { requiredKeys: [] });
const reactionFilter = fc.record(
  { fids: list(fid), target_fids: list(fid), target_cast_hashes: list(storedHash) },
  { requiredKeys: [] },
);
const tradeFilter = fc.record(
  {
    fids: list(fid),
    minimum_trader_service_score: fc.constantFrom(0.3, 0.6),
    minimum_token_amount_usdc: fc.constantFrom(10, 1000),
  },
  { requiredKeys: [] },
);
const filters = fc.record(
  {
    'cast.created': castFilter,
    'cast.deleted': castFilter,
    'follow.created': followFilter,
    'follow.deleted': followFilter,
    'reaction.created': reactionFilter,
    'reaction.deleted': reactionFilter,
    'user.created': fc.constant({}),
    'user.updated': fc.record({ fids: list(fid) }, { requiredKeys: [] }),
    'trade.created': tradeFilter,
  },
  { requiredKeys: [] },
) as fc.Arbitrary<WebhookSubscriptionFilters>;

const event = fc
  .record({
    type: fc.constantFrom(...EVENT_TYPES),
    fid,
    hash,
    other: fid,
    mentions: fc.uniqueArray(fid, { maxLength: 2 }),
    parent: fc.option(fc.record({ fid, hash })),
    parentUrl: fc.option(url),
    embeds: fc.array(fc.oneof(fc.record({ url }), fc.record({ fid, hash })), { maxLength: 2 }),
    text: fc.constantFrom('gm', 'Tomato', 'hello'),
    usd: fc.constantFrom(null, 9.5, 10, 2000),
  })
  .map(({ type, other, mentions, parent, parentUrl, embeds, text, usd, ...drawn }) => {
    const base = { type, logId: 1, part: 0, at: new Date(0), fid: drawn.fid };
    if (type.startsWith('user')) return base as SocialEvent;
    if (type === 'trade.created') return { ...base, usd } as SocialEvent;
    if (type.startsWith('follow')) return { ...base, targetFid: other, ts: 0 } as SocialEvent;
    if (type.startsWith('reaction')) {
      return { ...base, targetFid: other, targetHash: drawn.hash, reactionType: 1, ts: 0 } as SocialEvent;
    }
    const thread = { parentFid: parent?.fid ?? null, parentHash: parent?.hash ?? null, parentUrl };
    return { ...base, ...thread, hash: drawn.hash, mentions, embeds, text } as unknown as SocialEvent;
  });
const facts: fc.Arbitrary<CastFacts> = fc.record({
  text: fc.constantFrom('gm', 'Tomato', 'hello'),
  rootParentUrl: fc.option(url),
  authorScore: fc.constantFrom(0, 0.5, 1),
});

test('finds what a comparison filter by filter finds, also after some were removed', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(filters, fc.boolean()), { maxLength: 12 }),
      fc.array(fc.tuple(event, facts), { minLength: 1, maxLength: 8 }),
      (subscriptions, events) => {
        const matcher = new Matcher<number>(aliasesOf);
        const removals = subscriptions.map(([one], index) => matcher.add(one, index));
        subscriptions.forEach(([, isRemoved], index) => {
          if (isRemoved) removals[index]?.();
        });
        for (const [happened, known] of events) {
          const about = 'hash' in happened || 'usd' in happened ? known : undefined;
          const expected = subscriptions.flatMap(([one, isRemoved], index) =>
            !isRemoved && explainMatch(one, happened, about, { isFound, aliasesOf }).matches ? [index] : [],
          );
          expect(matcher.match(happened, about, isFound).sort((a, b) => a - b)).toEqual(expected);
        }
      },
    ),
    { numRuns: 400 },
  );
});

test('facts are needed only where a filter asks for them', () => {
  const matcher = new Matcher<string>();
  expect(matcher.needs).toEqual({ text: false, rootParentUrl: false, score: false });
  const removals = [
    matcher.add({ 'cast.created': { text: 'a' } }, 'text'),
    matcher.add({ 'cast.deleted': { root_parent_urls: ['https://a.example/'] } }, 'root'),
    matcher.add({ 'cast.created': { minimum_author_score: 0.5 } }, 'score'),
  ];
  expect(matcher.needs).toEqual({ text: true, rootParentUrl: true, score: true });
  for (const remove of removals) remove();
  expect(matcher.needs).toEqual({ text: false, rootParentUrl: false, score: false });
});

test('the default score does not make a filter match everything', () => {
  const matcher = new Matcher<string>();
  matcher.add({ 'cast.created': { author_fids: [7], minimum_author_score: 0 } }, 'one');
  const cast = { type: 'cast.created', fid: 8, hash: HASHES[0], mentions: [], embeds: [] } as unknown as SocialEvent;
  expect(matcher.match(cast, { text: '', rootParentUrl: null, authorScore: 1 }, isFound)).toEqual([]);
});
