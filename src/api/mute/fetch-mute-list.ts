import Type from 'typebox';
import { hydrateUsers } from '../../hydrate/page.js';
import { Fid } from '../../schema/fid.js';
import { MuteListResponse } from '../../schema/social/mute.js';
import { selectMutes } from '../../store/query/mute.js';
import { viewMutes } from '../../view/account-mark.js';
import { createChronologicalList } from '../http/chronological-list.js';
import { operation } from '../http/operation.js';
import { experimentalHeader } from '../http/parameter.js';

const ID = 'fetch-mute-list';

export const fetchMuteList = operation({
  id: ID,
  path: '/v2/social/mute/list/',
  tags: ['Mute'],
  summary: 'List whom a user muted within the calling app, newest mute first.',
  headers: experimentalHeader,
  query: Type.Object({
    fid: Fid,
    limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 100, default: 20 }),
    cursor: Type.Optional(Type.String()),
  }),
  response: MuteListResponse,
  errors: [400, 404, 500],
  read: async ({ query, caller }, read, services) => {
    const owner = { fid: query.fid, appId: caller.appId };
    const list = createChronologicalList({ ...services, read }, ID, query, owner);
    const { rows, cursor } = list.cut(await selectMutes(read, owner, list.after, list.limit));
    const fids = rows.map(({ fid }) => fid);
    const page = await hydrateUsers(read, fids, { listed: fids });
    return viewMutes(rows, cursor, page);
  },
});
