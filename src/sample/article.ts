import type { Random } from './random.js';

/** A page that casts of the sample network embed. */
interface Article {
  /** Ids of the channels that it belongs to. */
  readonly channels: readonly string[];
  readonly title: string;
  readonly description: string;
  readonly paragraphs: readonly string[];
}

const article = (
  channels: readonly string[],
  title: string,
  description: string,
  ...paragraphs: string[]
): Article => ({
  channels,
  title,
  description,
  paragraphs,
});

/** By the last part of the address. */
const ARTICLES: Readonly<Record<string, Article>> = {
  'one-character-fix': article(
    ['dev'],
    'The fix was one character',
    'Three days with a debugger, and what the fourth one would have brought.',
    'It began with a test that failed on Tuesdays.',
    'We read the parser, then the cache, then each other’s notes. The missing character was a minus.',
  ),
  'sourdough-in-winter': article(
    ['food'],
    'Sourdough in a cold kitchen',
    'A loaf needs patience at 16 degrees, and a warm place that you already own.',
    'The oven light is enough. So is the top of the router.',
    'Give it twice the time, and half the flour that you think it needs.',
  ),
  'blue-hour': article(
    ['photography'],
    'Forty minutes of blue',
    'Where to stand, and what to leave at home, when the sun is six degrees below the horizon.',
    'Arrive early, meter for the lamps, and wait.',
    'The best picture is the one after you have packed.',
  ),
  'slow-ferries': article(
    ['travel'],
    'In praise of slow ferries',
    'Nine hours between two islands, without a screen.',
    'The coffee is bad and the deck is wet. Nobody is late, because nobody is expected.',
  ),
  'tape-loops': article(
    ['music'],
    'Tape loops for beginners',
    'A cassette, a pencil, a pair of scissors, and an evening.',
    'Cut five centimetres. Join the ends. Listen to what your room sounds like.',
  ),
  'tomatoes-on-a-balcony': article(
    ['garden'],
    'Tomatoes on a balcony',
    'Two square metres, eleven plants, one mistake.',
    'Water in the morning, at the root. The mistake was the twelfth plant.',
  ),
  'small-servers': article(
    ['dev'],
    'What fits on a small server',
    'A social network for a village, measured on a machine that costs less than lunch.',
    'Two cores carry more people than you know.',
    'Measure first. Then delete the cache.',
  ),
  'letters-to-strangers': article(
    ['books', 'art'],
    'Letters to strangers',
    'A year of writing to the first name in the phone book.',
    'Thirty-one answered. Four still do.',
  ),
};

/** Path of articles below the base URL of the sample's files. */
export const ARTICLE_KIND = 'article';

/**
 * @param base as for `pictureUrl`
 * @param channel id of a channel
 * @returns the address of an article about what the channel is about; undefined if there is none
 */
export const articleOf = (random: Random, base: string, channel: string | undefined): string | undefined => {
  const slugs = Object.keys(ARTICLES).filter((slug) => ARTICLES[slug]?.channels.some((one) => one === channel));
  return slugs.length === 0 ? undefined : `${base}/${ARTICLE_KIND}/${random.pick(slugs)}.html`;
};

const STYLE = `
  body { margin: 0; background: #faf8f3; color: #22201c; font: 19px/1.6 Georgia, serif; }
  main { max-width: 36rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
  img { display: block; width: 100%; border-radius: 12px; }
  h1 { line-height: 1.2; margin: 1.5rem 0 .5rem; }
  .lead { color: #6b6458; font-style: italic; }
  small { color: #6b6458; font-family: system-ui, sans-serif; }
  @media (prefers-color-scheme: dark) { body { background: #1b1a18; color: #ece7dd; } .lead, small { color: #a9a193; } }`;

/** @returns the page of an article in HTML; undefined if there is none under this name */
export const renderArticle = (slug: string): string | undefined => {
  if (!Object.hasOwn(ARTICLES, slug)) return undefined;
  const { title, description, paragraphs } = ARTICLES[slug] as Article;
  // Relative to the page: the service may have any address.
  const picture = `../cast/${slug}.svg`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta property="og:type" content="article">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:image" content="${picture}">
<meta property="og:site_name" content="The Sample Gazette">
<style>${STYLE}
</style>
</head>
<body>
<main>
<img src="${picture}" alt="">
<h1>${title}</h1>
<p class="lead">${description}</p>
${paragraphs.map((text) => `<p>${text}</p>`).join('\n')}
<p><small>The Sample Gazette prints only what the sample network needs.</small></p>
</main>
</body>
</html>
`;
};
