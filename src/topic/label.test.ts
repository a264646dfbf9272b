import { expect, test } from 'vitest';
import { TOP_LEVEL_TOPICS } from '../schema/topic/topic.js';
import { labelOf } from './label.js';

test.each([
  ['solar eclipse', ['Through the telescope', 'The moon is late'], 'science_technology'],
  ['moonfest', ['What a concert', 'The music was good'], 'music'],
  ['marathon', [], 'fitness_health'],
  ['derby', ['The keeper of the city', 'goal goal goal'], 'sports'],
  ['zyx', ['Words that say nothing'], 'other_hobbies'],
  ['zyx', [], 'other_hobbies'],
])('%s with %j is about %s', (name, texts, label) => expect(labelOf(name.split(' '), texts)).toBe(label));

test('a word counts once in each text, and more in the name', () => {
  expect(labelOf([], ['music music music music', 'goal', 'derby'])).toBe('sports');
  expect(labelOf(['music'], ['goal', 'goal', 'goal', 'goal'])).toBe('music');
  expect(
    labelOf(
      ['music'],
      Array.from({ length: 6 }, () => 'goal'),
    ),
  ).toBe('sports');
});

test('every label but the last resort has words', () => {
  const reached = ['painting', 'startup', 'gossip', 'gm', 'toddler', 'sneakers', 'netflix', 'yoga', 'ramen', 'xbox'];
  const more = ['lecture', 'jazz', 'senate', 'crush', 'robot', 'rugby', 'hostel', 'campus'];
  const labels = new Set([...reached, ...more, 'zyx'].map((word) => labelOf([word], [])));
  expect([...labels].sort()).toEqual([...TOP_LEVEL_TOPICS].sort());
});
