import Type from 'typebox';
import { hydrateUsers } from '../../hydrate/page.js';
import { fromUnixMs } from '../../protocol/time.js';
import { Fid } from '../../schema/fid.js';
import { RelevantFramesResponse } from '../../schema/miniapp/catalog.js';
import { selectFrames } from '../../store/miniapp/catalog-list.js';
import { WINDOW_HOURS } from '../../store/miniapp/catalog-score.js';
import { selectBestFriends } from '../../store/query/best-friend.js';
import { selectRelevantMiniApps } from '../../store/query/relevant-mini-app.js';
import { viewRelevantFrames } from '../../view/frame.js';
import { operation } from '../http/operation.js';
import { networks, timeWindow } from './frame-query.js';

/** Best friends whose casts are read. */
const FRIENDS = 100;
/** Accounts of each mini app that are shown in full. */
const TOP = 3;
const HOUR_SECONDS = 3600;

export const fetchRelevantFrames = operation({
  id: 'fetch-relevant-frames',
  path: '/v2/social/frame/relevant/',
  tags: ['Frame'],
  title: 'List mini apps for a user',
  summary: 'List mini apps that best friends of a viewer, or accounts that it follows, cast lately.',
  // Up to 25 mini apps, each with its author, three accounts in full and fifty by name.
  cost: { fixed: 150 },
  query: Type.Object({
    viewer_fid: Fid,
    time_window: timeWindow('How long ago the casts may have been written.'),
    networks,
  }),
  parameters: {
    viewer_fid: { description: 'The account whose best friends and followed accounts are looked at.', example: 3 },
    networks: { description: 'Keeps mini apps that require one of these networks, or name none; separated by commas.' },
  },
  response: RelevantFramesResponse,
  errors: [],
  read: async ({ query, caller }, read) => {
    const { viewer_fid: viewer, time_window: window, networks: required = null } = query;
    const audience = { appId: caller.appId, viewer };
    const until = fromUnixMs(read.now);
    const page = { horizon: until, after: undefined, limit: FRIENDS };
    const friends = await selectBestFriends(read, viewer, audience, page);
    const period = { after: until - WINDOW_HOURS[window] * HOUR_SECONDS, until };
    const found = await selectRelevantMiniApps(read, audience, friends, { ...period, networks: required });
    const domains = found.map(({ domain }) => domain);
    const frames = new Map((await selectFrames(read, domains)).map((frame) => [frame.domain, frame]));
    const items = found.flatMap(({ domain, fids }) => {
      const frame = frames.get(domain);
      return frame === undefined ? [] : [{ frame, top: fids.slice(0, TOP), others: fids.slice(TOP) }];
    });
    const full = items.flatMap(({ frame, top }) => [frame.authorFid, ...top]);
    const dehydrated = items.flatMap(({ others }) => others);
    return viewRelevantFrames(items, await hydrateUsers(read, [...new Set(full)], { viewer, dehydrated }));
  },
});
