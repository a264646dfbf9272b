import { invalidField } from '../../error.js';
import { MuteReqBody, MuteResponse } from '../../schema/social/mute.js';
import { insertMute } from '../../store/access/mute.js';
import { invalidationOf } from '../../store/change.js';
import { relationsOf } from '../../store/tag.js';
import { operation } from '../http/operation.js';

export const publishMute = operation({
  id: 'publish-mute',
  method: 'POST',
  path: '/v2/social/mute/',
  tags: ['Mute'],
  title: 'Mute a user',
  summary: 'Mute a user for another one, within the calling app.',
  cost: { fixed: 10 },
  scope: 'mute',
  body: MuteReqBody,
  bodyExample: { fid: 1, muted_fid: 299 },
  response: MuteResponse,
  errors: [400, 404, 500],
  handle: async ({ body, caller }, { writeAndInvalidate, clock }) => {
    const { fid, muted_fid: mutedFid } = body;
    if (fid === mutedFid) throw invalidField('muted_fid', 'muted_fid must be somebody else than fid');
    const mute = { fid, appId: caller.appId, mutedFid };
    await writeAndInvalidate(invalidationOf([relationsOf(mute.fid)]), (session) =>
      insertMute(session, mute, new Date(clock())),
    );
    return { success: true };
  },
});
