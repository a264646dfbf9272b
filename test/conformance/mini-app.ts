import { expect } from 'vitest';
import { scoreMiniApps } from '../../src/job/mini-app-score.js';
import { fromUnixMs } from '../../src/protocol/time.js';
import { storeMiniApps } from '../support/mini-app-catalog.js';
import { FIDS } from '../support/seed.js';
import { type Case, casesOf } from './case.js';
import type { Environment } from './environment.js';
import { walk } from './page.js';

const { frank, heidi } = FIDS;

const titlesOf = ({ frames }: { readonly frames: readonly { readonly title?: string }[] }): string[] =>
  frames.map(({ title }) => title ?? '');

/** Three mini apps, counted. */
const store = async ({ network }: Environment): Promise<void> => {
  await network.sql('delete from catalog_domain');
  await storeMiniApps(network, [
    { domain: 'chess.example', name: 'Chess', category: 'games', networks: ['base'], authorFid: FIDS.alice },
    { domain: 'go.example', name: 'Go, not chess', category: 'games', authorFid: FIDS.bob },
    { domain: 'song.example', name: 'Songs', category: 'music', networks: ['celo'], authorFid: FIDS.carol },
  ]);
  await scoreMiniApps(network.app.core.db, Date.now());
};

/** The catalog of mini apps. */
export const miniAppCases: readonly Case<Environment>[] = casesOf<Environment>()(
  {
    id: 'fetch-frame-catalog',
    does: 'lists mini apps with their manifests and authors, page by page',
    call: ({ api }) => api.fetchFrameCatalog({}),
    look: async ({ api }, environment) => {
      await store(environment);
      const asked = { timeWindow: '24h', categories: ['games'], networks: ['base'] } as const;
      const seen = await walk(
        (cursor) =>
          api.fetchFrameCatalog({
            ...asked,
            categories: [...asked.categories],
            networks: [...asked.networks],
            limit: 1,
            ...(cursor && { cursor }),
          }),
        titlesOf,
      );
      expect(seen).toEqual(['Chess', 'Go, not chess']);
      const [first] = (await api.fetchFrameCatalog({})).frames;
      expect(first).toMatchObject({
        version: '1',
        frames_url: 'https://chess.example/',
        author: { fid: FIDS.alice, username: 'alice' },
        manifest: { miniapp: { name: 'Chess' } },
      });
    },
  },
  {
    id: 'search-frames',
    does: 'finds mini apps by their names, page by page',
    call: ({ api }) => api.searchFrames({ q: 'chess' }),
    look: async ({ api }, environment) => {
      await store(environment);
      const seen = await walk(
        (cursor) => api.searchFrames({ q: 'chess', networks: ['base'], limit: 1, ...(cursor && { cursor }) }),
        titlesOf,
      );
      expect(seen).toEqual(['Chess', 'Go, not chess']);
    },
    errors: { 400: ({ api }) => api.searchFrames({ q: ' ' }) },
  },
  {
    id: 'fetch-relevant-frames',
    does: 'lists mini apps that followed accounts cast',
    call: ({ api }) => api.fetchRelevantFrames({ viewerFid: heidi }),
    look: async ({ api }, environment) => {
      await store(environment);
      const { network, seeded } = environment;
      const cast = seeded.frank.cast({
        text: 'Chess?',
        embeds: ['https://chess.example/'],
        at: fromUnixMs(Date.now()),
      });
      await network.load([seeded.heidi.follow(frank).item, cast.item]);
      const { relevant_frames } = await api.fetchRelevantFrames({
        viewerFid: heidi,
        timeWindow: '1h',
        networks: ['base'],
      });
      expect(relevant_frames).toMatchObject([
        { frame: { title: 'Chess' }, top_relevant_users: [{ fid: frank }], remaining_relevant_users: [] },
      ]);
    },
  },
);
