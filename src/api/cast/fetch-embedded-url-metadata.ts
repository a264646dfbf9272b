import Type from 'typebox';
import { invalidField } from '../../error.js';
import { namedObject } from '../../schema/named.js';
import { EmbedUrlMetadata } from '../../schema/social/embed-url.js';
import { operation } from '../http/operation.js';

const MAX_LENGTH = 2048;

const readUrl = (text: string): string => {
  const url = text.trim();
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isWeb = parsed?.protocol === 'https:' || parsed?.protocol === 'http:';
  if (!parsed || !isWeb || parsed.username !== '' || parsed.password !== '' || url.length > MAX_LENGTH) {
    throw invalidField(
      'url',
      `url must be an http or https address of ${MAX_LENGTH} characters at most, without a user name or password`,
    );
  }
  return url;
};

export const fetchEmbeddedUrlMetadata = operation({
  id: 'fetch-embedded-url-metadata',
  path: '/v2/social/cast/embed/crawl/',
  tags: ['Cast'],
  title: 'Fetch a link preview',
  summary: 'Fetch a URL and return what a cast embed needs to show it.',
  // Another server is called.
  cost: { fixed: 10 },
  waitsOutside: true,
  query: Type.Object({ url: Type.String() }),
  parameters: {
    url: {
      description:
        'The address of a page, an image or a video; 2048 characters at most. It is fetched again after a day, or 10 minutes after a failure.',
      example: 'http://127.0.0.1:3000/sample/article/blue-hour.html',
    },
  },
  response: namedObject('CastEmbedCrawlResponse', { metadata: EmbedUrlMetadata }),
  handle: async ({ query }, { crawler }) => {
    const metadata = await crawler.read(readUrl(query.url));
    // The same for an address that must not be called: otherwise callers could look into the service's own network.
    if (metadata === null) throw invalidField('url', 'No public server answers at this url.');
    return { metadata };
  },
});
