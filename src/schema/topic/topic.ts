import Type, { type Static } from 'typebox';
import { named, namedObject } from '../named.js';
import { nullable } from '../nullable.js';
import { NextCursor } from '../page.js';
import { UserDehydrated } from '../social/user-dehydrated.js';
import { stringEnum } from '../string-enum.js';

export const TOP_LEVEL_TOPICS = [
  'arts_culture',
  'business_entrepreneurs',
  'celebrity_pop_culture',
  'diaries_daily_life',
  'family',
  'fashion_style',
  'film_tv_video',
  'fitness_health',
  'food_dining',
  'gaming',
  'learning_educational',
  'music',
  'news_social_concern',
  'other_hobbies',
  'relationships',
  'science_technology',
  'sports',
  'travel_adventure',
  'youth_student_life',
] as const;

export const TopLevelTopic = named('TopLevelTopic', stringEnum([...TOP_LEVEL_TOPICS]));
export type TopLevelTopic = Static<typeof TopLevelTopic>;

export const TrendingTopic = namedObject('TrendingTopic', {
  authors: Type.Array(UserDehydrated, { maxItems: 5, description: 'Accounts that cast about it recently.' }),
  name: Type.String(),
  slug: Type.String(),
  summary: nullable(Type.String({ description: 'Written by a language model; null without one.' })),
  top_level_topic: TopLevelTopic,
});

export const TrendingTopicsResponse = namedObject('TrendingTopicsResponse', {
  next: NextCursor,
  topics: Type.Array(TrendingTopic),
});
