/** What people of one channel talk about. In all templates `@` is a mention, `{thing}` a word of the topic. */
export interface Topic {
  readonly things: readonly string[];
  readonly casts: readonly string[];
}

const list = (text: string): string[] => text.trim().split(/\s*,\s*/);
const lines = (text: string): string[] => text.trim().split(/\s*\n\s*/);
const topic = (things: string, casts: string): Topic => ({ things: list(things), casts: lines(casts) });

/** By channel id. */
export const TOPICS: Readonly<Record<string, Topic>> = {
  dev: topic(
    `the build, my parser, that regex, the migration, a flaky test, the cache, the queue, this stack trace, the linter`,
    `It was DNS. It is always DNS.
    Deleted 400 lines today and nothing broke 🧹
    The fix was one character. Finding it took since Tuesday.
    Wrote the test first, for once. It found {thing} in ten minutes.`,
  ),
  food: topic(
    `sourdough, the dumplings, this chili oil, pickled radish, my grandmother's stew, ramen, the curry, a cast iron pan`,
    `Breakfast of champions: {thing} 🍳
    I burned it. I ate it anyway.
    {thing} tastes better the next day, this is not up for debate
    Is {thing} a soup?`,
  ),
  music: topic(
    `this bassline, the new record, an old cassette, my synth, the second movement, the encore, that drum fill`,
    `On repeat since this morning: {thing} 🎧
    🎶🎶 {thing} 🎶🎶
    Nobody told me {thing} would make me cry on the bus
    What is the best album to cook to?`,
  ),
  photography: topic(
    `the blue hour, my old Pentax, expired film, this lens, a long exposure, fog, the darkroom, street lights, grain`,
    `Shot this before breakfast 📷
    Waited two hours for {thing} and then a pigeon walked in 🕊️
    Walked the harbour with @, both of us chasing {thing}
    Edit less, walk more`,
  ),
  books: topic(
    `chapter seven, the translator's note, this novel, a library book, the ending, the footnotes, poetry, the narrator`,
    `Finished it at three in the morning 📚 and regret nothing
    Borrowed on the advice of @ and now I owe a favour
    Reading {thing} slowly so that it does not end
    Who else is rereading {thing} this winter?`,
  ),
  travel: topic(
    `the night train, a paper map, the ferry, this border crossing, the window seat, a tiny museum, the last bus`,
    `Missed the connection, found {thing} instead 🚆
    📍 {thing}. Would get lost here again.
    Travelling with @ means there is always time for {thing}
    Home is where the laundry is`,
  ),
  art: topic(
    `gouache, the plotter, linocut, this sketchbook, a blank canvas, ceramics, the glaze, charcoal, a mural, pixel art`,
    `Today's study 🎨 more tomorrow
    Commission finished! @ has seen it already, you have to wait
    I keep coming back to {thing}
    Ink everywhere. Everywhere.`,
  ),
  football: topic(
    `the penalty, our keeper, the offside line, extra time, the derby, that free kick, the bench, the away end`,
    `GOOOAL ⚽⚽⚽
    {thing} will haunt me all week
    @ and I are no longer speaking until the rematch
    Sunday league, muddy knees, happy heart`,
  ),
  garden: topic(
    `the tomatoes, slugs, compost, my beans, the apple tree, seedlings, the greenhouse, rain water, garlic, sunflowers`,
    `First harvest 🍅 {thing} next
    Swapped seeds with @ over the fence
    If you need me I will be staring at {thing} 🌱
    It rained on {thing} at last`,
  ),
  science: topic(
    `the telescope, this preprint, a null result, slime mold, the error bars, tardigrades, the comet, peer review`,
    `New paper on {thing}, thread below 🔭
    Correlation came to the party, causation stayed home
    Clear sky tonight, look up after ten ✨
    Replicated it. It did not replicate.`,
  ),
  cycling: topic(
    `the headwind, my rear derailleur, the climb, a flat tyre, the coffee stop, the cargo bike, gravel, the bike lane`,
    `Out before sunrise 🚴 {thing} was worth it
    Rode with @ and pretended {thing} was flat
    Legs: gone. Spirit: fine.
    N+1 is the right number of bikes`,
  ),
  film: topic(
    `the opening shot, this soundtrack, the director's cut, silent films, the plot twist, subtitles, the villain`,
    `Watched it alone in an empty cinema 🎬
    @ warned me about {thing} and I did not listen
    Two stars for the script, five for {thing}
    Sat through the credits, always do`,
  ),
  games: topic(
    `the final boss, a natural twenty, this deck, the tutorial, our campaign, speedruns, the save file, chess, the meeple`,
    `One more turn, I said, at midnight 🎲
    {thing} ate my weekend
    Unpopular opinion: {thing} is the best part
    Beat it! On easy. Leave me alone 🎮`,
  ),
  parents: topic(
    `bedtime, the missing sock, nap time, glitter, the school run, a loose tooth, finger paint, the playground`,
    `She slept through the night!!! 😴
    Today's argument was about {thing}
    Shared a look with @ at the playground. We both know.
    Coffee is a food group`,
  ),
  cats: topic(
    `the keyboard, a cardboard box, the sunny spot, zoomies, the red dot, her bowl, the curtains, a hair tie, my lap`,
    `🐈
    He has chosen {thing} and there will be no discussion
    Cat sitting for @, sending proof of life 🐾
    Woke me up, sat on {thing}, left`,
  ),
  lighthouse: topic(
    `the lamp, the keepers' log, edition two, the foghorn, the stairs, the drawing contest, the map, the spare key`,
    `Keepers' call tonight, bring your lamp 🗼
    {thing} is lit again
    Welcome aboard @ 🎉 keeper number many
    Voted on {thing}, results on Friday`,
  ),
};

/** Casts about anything; `{thing}` comes from one of the author's topics. */
export const GENERAL_CASTS = lines(`gm
  gm ☀️ coffee first, {thing} second
  Thinking about {thing} again
  Can somebody explain {thing} to me like I am five?
  Today I learned something about {thing} and now I cannot unlearn it
  🙏🏽 @ you were right about {thing}
  👀 @ have you seen this?
  It is quiet here today. I like it.
  Happy birthday @ 🎂🎉
  Monday: {thing}. Tuesday: {thing}. Wednesday: me, asleep.
  🇵🇹🇧🇷 boa noite @ and everybody else
  If @ and @ agree on {thing}, who am I to object
  gn 🌙`);

export const REPLIES = lines(`This 👆
  Same here
  100%
  Wait, really?
  How did {thing} go in the end?
  I had the same with {thing} last month
  @ will want to see this
  😂😂😂
  ❤️
  Congratulations! 🎉
  Source?
  Good question. @ might know?
  Tell me more about {thing}
  Following for {thing}
  You and @ should meet
  It depends 🤷🏼‍♀️
  ok this made my day
  And then what happened?`);

export const QUOTES = lines(`This whole thread, please
  👇 what @ and I talked about yesterday
  Best thing I have seen on {thing} this week
  Adding to this: {thing} matters too
  I was there! 🙋🏾`);

/** Second sentences, so that similar casts rarely have the same text. */
export const CLOSING_PHRASES = lines(`What do you think?
  Anyway.
  Back to {thing} now.
  Also: {thing}.
  More on that tomorrow.
  ✨
  Who is in?
  Reminds me of {thing}.
  Pictures later 📷
  Recommendations welcome.
  And {thing}, of course.
  Day {n} of this.
  {n} out of 10.`);

/** Pages to which casts link; the hosts are reserved names (RFC 2606). */
export const LINK_HOSTS = list(
  `news.example, blog.example, photos.example, video.example, docs.example, shop.example, maps.example, music.example`,
);

export const SPAM = lines(`🚀 FREE tokens for the first 1000 wallets, claim now 👉
  Congratulations, you have been selected! Claim here
  10x in one week, guaranteed. Link in bio 💰
  Airdrop is LIVE! Do not miss out 🔥🔥🔥
  I lost hope until I met this trader, contact now`);

/** Sentences of long casts. */
export const SENTENCES = lines(`I have been meaning to write this down for a while.
  It started with {thing}, as these things do.
  What nobody tells you is how much of it is waiting.
  At some point I stopped counting and began to enjoy {thing}.
  I changed one thing at a time, wrote down what happened, and slept on it.
  If you take one thing from this, let it be {thing}.
  Thank you to everyone who answered my questions here.
  So that is where it stands: unfinished, but mine.`);

export const BIOS = lines(`{thing}, mostly
  Here for {thing} and good company
  Building things with @
  Prev: {thing}. Now: {thing}.
  Not a bot 🤖
  Half of a podcast with @ 🎙️
  she/her · {thing}
  they/them · always curious
  gm ☀️
  Ask me about {thing}`);
