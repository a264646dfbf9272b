import { expect, test } from 'vitest';
import type { WebhookSubscriptionFilters } from '../schema/event/webhook.js';
import { readFilters } from './filter.js';

const read = (filters: object) => readFilters(filters as WebhookSubscriptionFilters);
const faulty = (filters: object): unknown => {
  try {
    return read(filters);
  } catch (error) {
    return (error as { property?: string }).property;
  }
};

test('filters are normalized: one spelling of hashes, no duplicates, no members without effect', () => {
  const hash = 'Ab'.repeat(20);
  const cast = {
    parent_hashes: [hash, `0x${hash}`],
    author_fids: [3, 3, 4],
    mentioned_fids: [],
    text: '',
    minimum_author_score: 0,
  };
  expect(read({ 'cast.created': cast, 'user.created': {} })).toEqual({
    'cast.created': { parent_hashes: [`0x${hash.toLowerCase()}`], author_fids: [3, 4] },
    'user.created': {},
  });
  expect(readFilters(undefined)).toEqual({});
});

test.each([
  ['subscription.cast.made', { 'cast.made': {} }],
  ['subscription.cast.created.author', { 'cast.created': { author: [1] } }],
  ['subscription.user.created.fids', { 'user.created': { fids: [1] } }],
  ['subscription.cast.created.parent_hashes', { 'cast.created': { parent_hashes: ['0x12'] } }],
  ['subscription.follow.created.fids', { 'follow.created': { fids: [0] } }],
  ['subscription.follow.created.fids', { 'follow.created': { fids: [1.5] } }],
  ['subscription.follow.created.fids', { 'follow.created': { fids: Array.from({ length: 10_001 }, (_, i) => i + 1) } }],
  ['subscription.cast.created.text', { 'cast.created': { text: '(' } }],
  ['subscription.cast.created.embeds', { 'cast.created': { embeds: 'x'.repeat(1_025) } }],
  ['subscription.cast.created.text', { 'cast.created': { text: '([a-z]{100}){20}' } }],
  ['subscription', { 'cast.created': { parent_urls: [`https://a.example/${'x'.repeat(110_000)}`] } }],
])('%s is refused', (property, filters) => expect(faulty(filters)).toBe(property));
