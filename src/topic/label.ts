import { TOP_LEVEL_TOPICS, type TopLevelTopic } from '../schema/topic/topic.js';

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Words that are typical of a subject; `other_hobbies` is everything else. */
const LEXICON: Readonly<Partial<Record<TopLevelTopic, readonly string[]>>> = {
  arts_culture: words(`art artist artists artwork canvas ceramics drawing exhibition gallery illustration museum mural
    mint nft nfts painting paint photo photography photos poem poetry poet print sculpture sketch sketchbook theater`),
  business_entrepreneurs:
    words(`airdrop bitcoin btc business ceo company companies crypto defi economy eth founder founders
    funding investor investors invoice market markets money price revenue sales startup startups stock stocks token tokens
    trader trading usdc wallet`),
  celebrity_pop_culture: words(`actor actress celebrity celebrities drama fandom famous gossip hollywood icon influencer
    kardashian oscars paparazzi royal swift tabloid viral`),
  diaries_daily_life:
    words(`afternoon bed breakfast cat cats coffee commute dog dogs evening gm gn home laundry morning nap
    rain sleep sunday today tonight weekend weather woke`),
  family: words(`baby bedtime brother child children dad daughter family father grandma grandmother kid kids mom mother
    parent parenting parents sister son toddler`),
  fashion_style:
    words(`bag beauty clothes designer dress fashion hair jacket jewelry makeup nails outfit runway shoes sneaker
    sneakers style vintage wardrobe wear wearing`),
  film_tv_video:
    words(`actor anime cinema director documentary episode film films movie movies netflix premiere scene screen
    season series show soundtrack streaming subtitles trailer tv video videos youtube`),
  fitness_health:
    words(`bike cardio cycling diet doctor exercise fitness gym health healthy hospital marathon medicine muscle
    ride running sleep therapy training vitamin walk weight workout yoga`),
  food_dining:
    words(`bake bakery baking bread breakfast burger cake chef chili cook cooking curry delicious dinner dish dumplings
    eat eating food kitchen lunch meal menu pizza ramen recipe restaurant soup sourdough sushi taste tasty tea`),
  gaming:
    words(`board boss chess console controller deck dungeon esports game gamer games gaming level multiplayer nintendo player
    playing playstation quest speedrun steam xbox`),
  learning_educational:
    words(`article book books chapter class course education essay explain learn learned learning lecture
    lesson library novel read reading school student study teach teacher tutorial university`),
  music:
    words(`album albums band bass beat beats concert drum drums festival guitar jazz listen listening lyrics melody music
    musician piano playlist rap record remix rock sing singer song songs synth tour vinyl`),
  news_social_concern:
    words(`breaking campaign climate congress court earthquake election elections flood government justice law
    minister news parliament police policy politics president protest reform senate strike vote voted voting war`),
  relationships:
    words(`anniversary boyfriend breakup couple crush date dating friend friends friendship girlfriend heart husband
    love marriage married partner proposal relationship romance wedding wife`),
  science_technology:
    words(`ai algorithm api app apps bug chip cloud code coding comet compiler computer data database deploy
    dev developer developers engineer eclipse gpu hardware internet launch machine model moon nasa network open paper
    physics planet program programming protocol research robot rocket satellite science scientist server software source
    space tech technology telescope`),
  sports:
    words(`athlete ball baseball basketball champion championship club coach cup derby football goal goals golf keeper
    league match nba nfl olympics penalty playoffs racing referee rugby score soccer sport sports stadium team tennis
    tournament win`),
  travel_adventure:
    words(`adventure airport beach border camping city country ferry flight flights hike hiking hostel hotel island
    journey map mountain mountains passport plane road sea summer tourist train trains travel trip vacation visit visiting`),
  youth_student_life:
    words(`campus college dorm exam exams freshman graduate graduation homework hackathon internship semester
    students studying teen teenager thesis`),
};

const LABELS_OF_WORD = new Map<string, TopLevelTopic[]>();
for (const label of TOP_LEVEL_TOPICS) {
  for (const word of LEXICON[label] ?? []) LABELS_OF_WORD.set(word, [...(LABELS_OF_WORD.get(word) ?? []), label]);
}

/** A word of the topic itself says more than one of a cast about it. */
const NAME_WEIGHT = 5;

/**
 * Finds the subject that most words are typical of.
 * @param name words of the topic, in lower case
 * @param texts of casts about it; a word counts once in each
 * @returns the first in the contract's order of those with most words; `other_hobbies` without any
 */
export const labelOf = (name: readonly string[], texts: readonly string[]): TopLevelTopic => {
  const points = new Map<TopLevelTopic, number>();
  const count = (found: Iterable<string>, weight: number): void => {
    for (const word of new Set(found)) {
      for (const label of LABELS_OF_WORD.get(word) ?? []) points.set(label, (points.get(label) ?? 0) + weight);
    }
  };
  count(name, NAME_WEIGHT);
  for (const text of texts) count(text.toLowerCase().match(/\p{L}+/gu) ?? [], 1);
  return TOP_LEVEL_TOPICS.reduce<TopLevelTopic>(
    (best, label) => ((points.get(label) ?? 0) > (points.get(best) ?? 0) ? label : best),
    'other_hobbies',
  );
};
