import { ask, CallError } from '../call.js';
import { channelId, choice, fid, input, optional, signerUuid } from '../input.js';
import { writeTool } from '../tool.js';

const ACTIONS = ['invite', 'remove', 'accept_invite', 'decline_invite'] as const;
const DONE = {
  invite: 'is invited',
  remove: 'is removed',
  accept_invite: 'has joined',
  decline_invite: 'has declined',
} as const;

export const moderateChannel = writeTool({
  name: 'moderate_channel',
  title: 'Moderate a channel',
  description:
    'Invite a person to a channel as member or moderator, remove one, or answer an invite, as the account of the signer. read_channel lists members and invites.',
  destructive: true,
  idempotent: true,
  input: input({
    signer_uuid: signerUuid,
    channel_id: channelId,
    action: choice(ACTIONS, 'accept_invite and decline_invite answer the invite of the account of the signer.'),
    fid: optional(fid('The person, for invite and remove.')),
    role: choice(['member', 'moderator'], 'The role that is given, taken or answered.'),
  }),
  run: async ({ signer_uuid, channel_id, action, fid: person, role }, call) => {
    const shared = { signer_uuid, channel_id, role };
    if (action === 'accept_invite' || action === 'decline_invite') {
      const body = { ...shared, accept: action === 'accept_invite' };
      await ask(call, { method: 'PUT', path: '/v2/social/channel/member/invite/', body });
      return `The account of the signer ${DONE[action]}.`;
    }
    if (person === undefined) throw new CallError(400, 'InvalidField', `${action} needs fid.`);
    const body = { ...shared, fid: person };
    if (action === 'invite') await ask(call, { method: 'POST', path: '/v2/social/channel/member/invite/', body });
    else await ask(call, { method: 'DELETE', path: '/v2/social/channel/member/', body });
    return `Account ${person} ${DONE[action]} as ${role}.`;
  },
});
