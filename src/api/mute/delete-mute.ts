import { MuteReqBody, MuteResponse } from '../../schema/social/mute.js';
import { deleteMute } from '../../store/access/mute.js';
import { invalidationOf } from '../../store/change.js';
import { relationsOf } from '../../store/tag.js';
import { operation } from '../http/operation.js';

export const deleteMuteOperation = operation({
  id: 'delete-mute',
  method: 'DELETE',
  path: '/v2/social/mute/',
  tags: ['Mute'],
  title: 'Unmute a user',
  summary: 'Unmute a user for another one within the calling app; repeating it changes nothing.',
  cost: { fixed: 10 },
  scope: 'mute',
  body: MuteReqBody,
  bodyExample: { fid: 1, muted_fid: 299 },
  response: MuteResponse,
  errors: [400, 404, 500],
  handle: async ({ body, caller }, { writeAndInvalidate }) => {
    const mute = { fid: body.fid, appId: caller.appId, mutedFid: body.muted_fid };
    await writeAndInvalidate(invalidationOf([relationsOf(mute.fid)]), (session) => deleteMute(session, mute));
    return { success: true };
  },
});
