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
    `the build, my parser, that regex, the migration, a flaky test, the cache, the queue, this stack trace, the linter,
    TypeScript, PostgreSQL, the scheduler`,
    `It was DNS. It is always DNS.
    Deleted 400 lines today and nothing broke 🧹
    {thing} works on my machine and, it turns out, nowhere else
    Hot take: {thing} is fine, we just never read the manual
    Pairing with @ on {thing} this afternoon, bring snacks
    The fix was one character. Finding it took since Tuesday.
    Wrote the test first, for once. It found {thing} in ten minutes.`,
  ),
  food: topic(
    `sourdough, the dumplings, this chili oil, pickled radish, my grandmother's stew, ramen, the curry, a cast iron pan,
    plum cake, the farmers market, miso butter, leftovers`,
    `Breakfast of champions: {thing} 🍳
    I burned it. I ate it anyway.
    {thing} tastes better the next day, this is not up for debate
    Thank you @ for the recipe, the kitchen is a battlefield 🔪
    Three ingredients, one pan, zero regrets
    Is {thing} a soup?`,
  ),
  music: topic(
    `this bassline, the new record, an old cassette, my synth, the second movement, the encore, that drum fill,
    the choir, a broken string, the remix, the B-side, vinyl`,
    `On repeat since this morning: {thing} 🎧
    🎶🎶 {thing} 🎶🎶
    Went to hear @ play last night, still humming {thing}
    Nobody told me {thing} would make me cry on the bus
    Learning {thing}, apologies to the whole building 🎸
    What is the best album to cook to?`,
  ),
  photography: topic(
    `the blue hour, my old Pentax, expired film, this lens, a long exposure, fog, the darkroom, street lights, grain,
    portraits, the contact sheet, golden hour`,
    `Shot this before breakfast 📷
    {thing}. No filter, no crop, no patience left.
    Waited two hours for {thing} and then a pigeon walked in 🕊️
    One roll, thirty-six frames, two keepers
    Walked the harbour with @, both of us chasing {thing}
    Edit less, walk more`,
  ),
  books: topic(
    `chapter seven, the translator's note, this novel, a library book, the ending, the footnotes, poetry, the narrator,
    page 212, the sequel, short stories, the index`,
    `Finished it at three in the morning 📚 and regret nothing
    {thing} deserves its own book
    Borrowed on the advice of @ and now I owe a favour
    Reading {thing} slowly so that it does not end
    The book was better. The book is always better.
    Who else is rereading {thing} this winter?`,
  ),
  travel: topic(
    `the night train, a paper map, the ferry, this border crossing, the window seat, a tiny museum, the last bus,
    my backpack, the mountain hut, jet lag, a detour, the harbour`,
    `Missed the connection, found {thing} instead 🚆
    Four countries, one pair of shoes
    📍 {thing}. Would get lost here again.
    Travelling with @ means there is always time for {thing}
    Somebody please explain ferry timetables to me ⛴️
    Home is where the laundry is`,
  ),
  art: topic(
    `gouache, the plotter, linocut, this sketchbook, a blank canvas, ceramics, the glaze, charcoal, a mural, pixel art,
    letterpress, the exhibition`,
    `Today's study 🎨 more tomorrow
    {thing} and patience, mostly patience
    Threw away nine, kept one
    Commission finished! @ has seen it already, you have to wait
    I keep coming back to {thing}
    Ink everywhere. Everywhere.`,
  ),
  football: topic(
    `the penalty, our keeper, the offside line, extra time, the derby, that free kick, the bench, the away end,
    a clean sheet, the referee, the second half, the transfer`,
    `GOOOAL ⚽⚽⚽
    {thing} will haunt me all week
    We do not talk about {thing}
    Ninety minutes of nothing and then {thing}
    @ and I are no longer speaking until the rematch
    Sunday league, muddy knees, happy heart`,
  ),
  garden: topic(
    `the tomatoes, slugs, compost, my beans, the apple tree, seedlings, the greenhouse, rain water, garlic, sunflowers,
    the worms, a late frost`,
    `First harvest 🍅 {thing} next
    {thing} 1, me 0
    Swapped seeds with @ over the fence
    If you need me I will be staring at {thing} 🌱
    Mulch. That is the whole cast.
    It rained on {thing} at last`,
  ),
  science: topic(
    `the telescope, this preprint, a null result, slime mold, the error bars, tardigrades, the comet, peer review,
    the spectrometer, statistics, dark matter, lichen`,
    `New paper on {thing}, thread below 🔭
    {thing} is wilder than fiction
    Correlation came to the party, causation stayed home
    The sample size was @ and me, so take it with salt 🧂
    Clear sky tonight, look up after ten ✨
    Replicated it. It did not replicate.`,
  ),
  cycling: topic(
    `the headwind, my rear derailleur, the climb, a flat tyre, the coffee stop, the cargo bike, gravel, the bike lane,
    my knees, the descent, new pedals, the peloton`,
    `Out before sunrise 🚴 {thing} was worth it
    {thing} again. Of course.
    Eighty kilometres, two coffees, one dog chase
    Rode with @ and pretended {thing} was flat
    Legs: gone. Spirit: fine.
    N+1 is the right number of bikes`,
  ),
  film: topic(
    `the opening shot, this soundtrack, the director's cut, silent films, the plot twist, subtitles, the villain,
    black and white, the last scene, documentaries, the matinee, a cameo`,
    `Watched it alone in an empty cinema 🎬
    {thing}!!! I have thoughts, I need a day
    Nobody lights a scene like that any more
    @ warned me about {thing} and I did not listen
    Two stars for the script, five for {thing}
    Sat through the credits, always do`,
  ),
  games: topic(
    `the final boss, a natural twenty, this deck, the tutorial, our campaign, speedruns, the save file, chess, the meeple,
    the sandbox, co-op, my backlog`,
    `One more turn, I said, at midnight 🎲
    {thing} ate my weekend
    Lost to @ again, the dice are clearly cursed
    Unpopular opinion: {thing} is the best part
    Board game night moved to Thursday
    Beat it! On easy. Leave me alone 🎮`,
  ),
  parents: topic(
    `bedtime, the missing sock, nap time, glitter, the school run, a loose tooth, finger paint, the playground,
    the why phase, lunch boxes, lullabies, teething`,
    `She slept through the night!!! 😴
    Today's argument was about {thing}
    Found {thing} in my shoe
    Shared a look with @ at the playground. We both know.
    "Five more minutes" is a unit of {thing}
    Coffee is a food group`,
  ),
  cats: topic(
    `the keyboard, a cardboard box, the sunny spot, zoomies, the red dot, her bowl, the curtains, a hair tie, my lap,
    the vet, the good chair, three in the morning`,
    `🐈
    He has chosen {thing} and there will be no discussion
    {thing} belongs to the cat now
    Cat sitting for @, sending proof of life 🐾
    Loaf.
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
  Small joys: {thing}
  {thing}: overrated or underrated? 👇
  Weekend plans: {thing}, sleep, more {thing}
  🙏🏽 @ you were right about {thing}
  Long walk with @, solved nothing, feel better
  👀 @ have you seen this?
  Shipping {thing} this week or I will eat my hat
  It is quiet here today. I like it.
  Happy birthday @ 🎂🎉
  Do you ever look at {thing} and just sigh
  Monday: {thing}. Tuesday: {thing}. Wednesday: me, asleep.
  🇵🇹🇧🇷 boa noite @ and everybody else
  Note to self: never promise {thing} before lunch
  If @ and @ agree on {thing}, who am I to object
  A year ago today I knew nothing about {thing}
  gn 🌙`);

export const REPLIES = lines(`This 👆
  Same here
  100%
  Needed to hear that today
  Wait, really?
  haha fair enough
  How did {thing} go in the end?
  I had the same with {thing} last month
  Counterpoint: {thing}
  @ will want to see this
  Strong agree, especially about {thing}
  😂😂😂
  ❤️
  Congratulations! 🎉
  Beautiful 😍
  Source?
  Not sure about that, {thing} says otherwise
  Good question. @ might know?
  Tell me more about {thing}
  Thanks for sharing 🙏
  I disagree, but I enjoyed reading it
  Following for {thing}
  You and @ should meet
  Saving this for later
  Big if true
  It depends 🤷🏼‍♀️
  ok this made my day
  And then what happened?
  Welcome back!
  Can confirm`);

export const QUOTES = lines(`This whole thread, please
  Worth reading twice
  👇 what @ and I talked about yesterday
  Best thing I have seen on {thing} this week
  Cannot stop thinking about this one
  For the archive 📌
  Adding to this: {thing} matters too
  Yes. And also {thing}.
  I was there! 🙋🏾`);

/** Second sentences, so that similar casts rarely have the same text. */
export const CLOSING_PHRASES = lines(`What do you think?
  Anyway.
  Back to {thing} now.
  Also: {thing}.
  More on that tomorrow.
  No notes.
  ✨
  🙃
  Do not ask me about {thing}.
  Who is in?
  I said what I said.
  Reminds me of {thing}.
  (Yes, again.)
  You had to be there.
  Pictures later 📷
  Recommendations welcome.
  Still better than {thing}.
  At least the weather is nice ☀️
  And {thing}, of course.
  Somebody had to say it.
  My sister disagrees.
  Day {n} of this.
  {n} out of 10.`);

/** Pages to which casts link; the hosts are reserved names (RFC 2606). */
export const LINK_HOSTS = list(
  `news.example, blog.example, photos.example, video.example, docs.example, shop.example, maps.example, music.example`,
);

export const SPAM = lines(`🚀 FREE tokens for the first 1000 wallets, claim now 👉
  Congratulations, you have been selected! Claim here
  10x in one week, guaranteed. Link in bio 💰
  Airdrop is LIVE!!! Do not miss out 🔥🔥🔥
  I lost hope until I met this trader, contact now`);

/** Sentences of long casts. */
export const SENTENCES = lines(`I have been meaning to write this down for a while.
  It started with {thing}, as these things do.
  The first attempt failed, and so did the second, and I learned more from the second.
  Everybody told me that {thing} would be the hard part; it was not.
  What nobody tells you is how much of it is waiting.
  At some point I stopped counting and began to enjoy {thing}.
  There is a notebook somewhere with all the numbers, ask me and I will look for it.
  I changed one thing at a time, wrote down what happened, and slept on it.
  My neighbour, who has done this for forty years, only smiled.
  If you take one thing from this, let it be {thing}.
  The light was wrong, the timing was worse, and still it worked 🌤️.
  Next time I would begin with {thing} and leave the rest for later.
  Thank you to everyone who answered my questions here.
  So that is where it stands: unfinished, but mine.`);

export const BIOS = lines(`{thing}, mostly
  Here for {thing} and good company
  Building things with @
  {thing} by day, {thing} by night 🌙
  Writes about {thing}. Opinions are the cat's.
  Slow internet enthusiast
  Prev: {thing}. Now: {thing}.
  Partner of @ ❤️ parent of two
  Not a bot 🤖
  Half of a podcast with @ 🎙️
  she/her · {thing}
  he/him · {thing} · {thing}
  they/them · always curious
  gm ☀️
  Ask me about {thing}`);
