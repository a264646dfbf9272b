import Type from 'typebox';
import { invalidField } from '../../error.js';
import { hydrateUsers } from '../../hydrate/page.js';
import { FrameCatalogResponse } from '../../schema/miniapp/catalog.js';
import { searchCatalog } from '../../store/miniapp/catalog-list.js';
import { viewFrames } from '../../view/frame.js';
import { listOperation } from '../page/list-operation.js';
import { countOf, networks } from './frame-query.js';

const MAX_LENGTH = 32;

const readText = (q: string): string => {
  const text = q.normalize('NFKC').replaceAll(/\s+/gu, ' ').trim().toLowerCase();
  if (text === '') throw invalidField('q', `q must hold 1 to ${MAX_LENGTH} characters of a name, tag or domain`);
  return text;
};

export const searchFrames = listOperation({
  id: 'search-frames',
  path: '/v2/social/frame/search/',
  tags: ['Frame'],
  title: 'Search mini apps',
  summary: 'Search mini apps by their names, tags and subtitles, and by the beginning of their domains.',
  cost: { each: 4, of: 'limit' },
  query: { q: Type.String({ maxLength: MAX_LENGTH }), networks },
  limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 100, default: 20 }),
  parameters: {
    q: { description: 'A part of the name, a tag or the subtitle, or the beginning of the domain.', example: 'chess' },
    networks: { description: 'Keeps mini apps that require one of these networks, or name none; separated by commas.' },
  },
  response: FrameCatalogResponse,
  errors: [400],
  sortKey: Type.Object({ counted: Type.Integer(), tier: Type.Integer(), score: Type.Number(), domain: Type.String() }),
  filters: ({ query: { q, networks: required = null }, caller: { appId } }) => ({ text: readText(q), required, appId }),
  isUncached: true,
  select: async (read, { text, required, appId }, { after, limit }) => {
    const counted = await countOf(read, after?.counted);
    const filter = { counted, networks: required };
    const found = await searchCatalog(read, { appId, viewer: null }, text, filter, after, limit);
    return found.map((row) => ({ ...row, counted }));
  },
  keyOf: ({ counted, tier, score, domain }) => ({ counted, tier, score, domain }),
  view: async (rows, cursor, _, read) => {
    const authors = rows.map(({ authorFid }) => authorFid);
    return viewFrames(rows, await hydrateUsers(read, authors), cursor);
  },
});
