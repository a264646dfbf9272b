import { CallError } from '../call.js';
import { type CastJson, type ChannelJson, viewCast, viewChannel } from '../entity.js';
import { channelId, choice, cursor, fid, input, limit, optional, text, viewerFid } from '../input.js';
import { listCasts, listPages } from '../list.js';
import { readTool } from '../tool.js';

export const searchCasts = readTool({
  name: 'search_casts',
  title: 'Search casts',
  description:
    'Search casts by their words, newest first, of everybody, of one account or of one channel. In the query, `|` is or, `-` leaves out, quotes hold words together, `*` at the end of a word is any ending. The modes semantic and hybrid search by meaning, where the operator has a model for it.',
  input: input({
    query: text(500, 'The words.'),
    mode: optional(choice(['literal', 'semantic', 'hybrid'], 'literal when absent.')),
    author_fid: optional(fid('Keeps casts of this account.')),
    channel_id: optional(channelId),
    order: optional(choice(['desc_chron', 'chron'], 'Newest first (desc_chron) when absent.')),
    viewer_fid: optional(viewerFid),
    limit: optional(limit(25, 10)),
    cursor: optional(cursor),
  }),
  run: async ({ query, mode, author_fid, channel_id, order, viewer_fid, limit: most = 10, cursor: after }, call) => {
    const filters = { q: query, mode, author_fid, channel_id, sort_type: order, viewer_fid, cursor: after };
    return listPages({
      call,
      path: '/v2/social/cast/search/',
      query: filters,
      itemsOf: (body: { readonly result: { readonly casts: readonly CastJson[] } }) => body.result.casts,
      limit: most,
      view: viewCast,
      what: 'casts',
    });
  },
});

const WINDOWS = ['1h', '6h', '12h', '24h', '7d', '30d'] as const;
/** The windows of the operation that counts channels. */
const CHANNEL_WINDOWS: Partial<Record<string, '1d' | '7d' | '30d'>> = { '24h': '1d', '7d': '7d', '30d': '30d' };

interface ChannelActivity {
  readonly channel: ChannelJson;
  readonly cast_count_1d: string;
  readonly cast_count_7d: string;
  readonly cast_count_30d: string;
}

interface Topic {
  readonly slug: string;
  readonly name: string;
  readonly summary: string | null;
  readonly authors: readonly { readonly username: string }[];
}

export const listTrending = readTool({
  name: 'list_trending',
  title: 'See what is trending',
  description:
    'List what is trending: casts (those that people like, recast and answer most), channels (by their number of casts), or topics (what more people write about than in the week before; read_feed reads a topic).',
  input: input({
    what: choice(['casts', 'channels', 'topics'], 'What is listed.'),
    window: optional(
      choice(WINDOWS, 'The period; 24h when absent. Casts: 1h to 7d; channels: 24h, 7d or 30d; topics have none.'),
    ),
    channel_id: optional(channelId),
    viewer_fid: optional(viewerFid),
    limit: optional(limit(25, 10)),
    cursor: optional(cursor),
  }),
  run: async ({ what, window = '24h', channel_id, viewer_fid, limit: most = 10, cursor: after }, call) => {
    if (what === 'topics')
      return listPages({
        call,
        path: '/v2/social/topic/trending/',
        query: { cursor: after },
        itemsOf: (body: { readonly topics: readonly Topic[] }) => body.topics,
        limit: most,
        view: ({ slug, name, summary, authors }, cut) => ({
          slug,
          name: cut(name),
          summary: cut(summary ?? ''),
          authors: authors.map(({ username }) => cut(username)),
        }),
        what,
      });
    if (what === 'casts') {
      if (window === '30d') throw new CallError(400, 'InvalidField', 'Casts are trending for 7d at most.');
      const query = { time_window: window, channel_id, viewer_fid, cursor: after };
      return listCasts(call, '/v2/social/feed/trending/', query, most);
    }
    const time_window = CHANNEL_WINDOWS[window];
    if (time_window === undefined)
      throw new CallError(400, 'InvalidField', 'Channels are counted for 24h, 7d and 30d only.');
    return listPages({
      call,
      path: '/v2/social/channel/trending/',
      query: { time_window, cursor: after },
      itemsOf: (body: { readonly channels: readonly ChannelActivity[] }) => body.channels,
      limit: most,
      view: ({ channel, ...counts }, cut) => ({
        ...viewChannel(channel, cut),
        casts: counts[`cast_count_${time_window}`],
      }),
      what,
    });
  },
});
