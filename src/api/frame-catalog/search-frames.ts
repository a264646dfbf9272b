import Type from 'typebox';
import { invalidField } from '../../error.js';
import { hydrateUsers } from '../../hydrate/page.js';
import { FrameCatalogResponse } from '../../schema/miniapp/catalog.js';
import { searchCatalog } from '../../store/miniapp/catalog-list.js';
import { viewFrames } from '../../view/frame.js';
import { openPage } from '../http/cursor.js';
import { operation } from '../http/operation.js';
import { countOf, networks } from './frame-query.js';

const list = {
  operationId: 'search-frames',
  sortKey: Type.Object({ counted: Type.Integer(), tier: Type.Integer(), score: Type.Number(), domain: Type.String() }),
};

const MAX_LENGTH = 32;

const readText = (q: string): string => {
  const text = q.normalize('NFKC').replaceAll(/\s+/gu, ' ').trim().toLowerCase();
  if (text === '') throw invalidField('q', `q must hold 1 to ${MAX_LENGTH} characters of a name, tag or domain`);
  return text;
};

export const searchFrames = operation({
  id: list.operationId,
  path: '/v2/social/frame/search/',
  tags: ['Frame'],
  summary: 'Search mini apps by their names, tags and subtitles, and by the beginning of their domains.',
  query: Type.Object({
    q: Type.String({
      maxLength: MAX_LENGTH,
      description: 'A text of 32 characters at most. One or two letters find beginnings of words alone.',
    }),
    limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 100, default: 20 }),
    cursor: Type.Optional(Type.String()),
    networks,
  }),
  response: FrameCatalogResponse,
  errors: [400],
  read: async ({ query, caller }, read, { cursorKey }) => {
    const { networks: required = null } = query;
    const text = readText(query.q);
    const filters = { text, required, app: caller.appId };
    const { after, limit, cut } = openPage(cursorKey, list, filters, query, read.now);
    const counted = await countOf(read, after?.counted);
    const audience = { appId: caller.appId, viewer: null };
    const found = await searchCatalog(read, audience, text, { counted, networks: required }, after, limit);
    const { rows, cursor } = cut(found, ({ tier, score, domain }) => ({ counted, tier, score, domain }));
    const authors = rows.map(({ author_fid }) => author_fid);
    return viewFrames(rows, await hydrateUsers(read, authors), cursor);
  },
});
