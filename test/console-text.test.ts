import { expect, test } from 'vitest';
import { formatAgo, formatAgoInSentence, formatDuration, formatPeriod } from '../console/src/part/text.js';

const NOW = new Date('2026-01-31T12:00:00Z');
const before = (seconds: number): Date => new Date(NOW.getTime() - seconds * 1000);

test.each([
  [0, 'now', 'just now'],
  [-3, 'now', 'just now'],
  [5, '5 s', '5 s ago'],
  [200, '3 min', '3 min ago'],
  [-7_200, 'in 2 h', 'in 2 h'],
])('a time of %d seconds ago reads as a sentence', (seconds, alone, inSentence) => {
  expect([formatAgo(before(seconds), NOW), formatAgoInSentence(before(seconds), NOW)]).toEqual([alone, inSentence]);
});

test('what lasts is never "for now"', () => {
  expect([formatDuration(NOW, NOW), formatDuration(before(61), NOW)]).toEqual(['1 s', '1 min']);
});

test.each([
  [30 * 86_400, '30 days'],
  [86_400, '1 day'],
  [43_200, '12 hours'],
  [43_199, '12 hours'],
  [129_600, '1.5 days'],
  [3_600, '1 hour'],
  [90, '1.5 minutes'],
  [1, '1 second'],
  [0, '0 seconds'],
])('a period of %d seconds costs for %s', (seconds, words) => {
  expect(formatPeriod(seconds)).toBe(words);
});
