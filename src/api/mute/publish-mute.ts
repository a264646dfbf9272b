import { invalidField, notFound } from '../../error.js';
import { MuteReqBody, MuteResponse } from '../../schema/mute.js';
import { selectExistingFids } from '../../store/account-exists.js';
import { touchedLists } from '../../store/change.js';
import { relationsOf } from '../../store/list-source.js';
import { insertMute } from '../../store/mute.js';
import { operation } from '../operation.js';

export const publishMute = operation({
  id: 'publish-mute',
  method: 'POST',
  path: '/v2/social/mute/',
  tags: ['Mute'],
  summary: 'Mute a user for another one, within the calling app.',
  family: 'v2',
  scope: 'mute',
  body: MuteReqBody,
  response: MuteResponse,
  errors: [400, 404, 500],
  handle: async ({ body, caller }, { db, change, clock }) => {
    const { fid, muted_fid: mutedFid } = body;
    if (fid === mutedFid) throw invalidField('muted_fid', 'muted_fid must be somebody else than fid');
    // The list of mutes shows each with its user, so there must be one; the list of bans can do without.
    const existing = await selectExistingFids(db, [fid, mutedFid]);
    if (!existing.has(fid)) throw notFound(`No account has the fid ${fid}.`, 'fid');
    if (!existing.has(mutedFid)) throw notFound(`No account has the fid ${mutedFid}.`, 'muted_fid');
    const mute = { fid, appId: caller.appId, mutedFid };
    await change(touchedLists([relationsOf(mute.fid)]), (session) => insertMute(session, mute, new Date(clock())));
    return { success: true };
  },
});
