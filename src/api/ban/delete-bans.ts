import { BanReqBody, BanResponse } from '../../schema/social/ban.js';
import { deleteBans } from '../../store/access/ban.js';
import { invalidationOf } from '../../store/change.js';
import { bansOf } from '../../store/tag.js';
import { operation } from '../http/operation.js';
import { MAX_FIDS, readFids } from './ban-body.js';

export const deleteBansOperation = operation({
  id: 'delete-bans',
  method: 'DELETE',
  path: '/v2/social/ban/',
  tags: ['Ban'],
  title: 'Lift bans',
  summary: "Lift the calling app's bans of users; those who are not banned need none lifted.",
  cost: { base: 10, each: 1, of: 'fids', in: 'body', most: MAX_FIDS },
  body: BanReqBody,
  bodyExample: { fids: [299] },
  response: BanResponse,
  errors: [400, 404, 500],
  handle: async ({ body, caller }, { writeAndInvalidate }) => {
    const fids = readFids(body);
    await writeAndInvalidate(invalidationOf([bansOf(caller.appId)]), (session) =>
      deleteBans(session, caller.appId, fids),
    );
    return { success: true };
  },
});
