import { BanReqBody, BanResponse } from '../../schema/social/ban.js';
import { insertBans } from '../../store/access/ban.js';
import { invalidationOf } from '../../store/change.js';
import { bansOf } from '../../store/tag.js';
import { operation } from '../http/operation.js';
import { MAX_FIDS, readFids } from './ban-body.js';

export const publishBans = operation({
  id: 'publish-bans',
  method: 'POST',
  path: '/v2/social/ban/',
  tags: ['Ban'],
  title: 'Ban users from the app',
  summary: 'Ban users from the calling app: they, their casts and their reactions are in none of its lists.',
  cost: { base: 10, each: 1, of: 'fids', in: 'body', most: MAX_FIDS },
  body: BanReqBody,
  bodyExample: { fids: [299] },
  response: BanResponse,
  errors: [400, 404, 500],
  handle: async ({ body, caller }, { writeAndInvalidate, clock }) => {
    const fids = readFids(body);
    await writeAndInvalidate(invalidationOf([bansOf(caller.appId)]), (session) =>
      insertBans(session, caller.appId, fids, new Date(clock())),
    );
    return { success: true };
  },
});
