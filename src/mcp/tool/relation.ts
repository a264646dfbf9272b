import Type from 'typebox';
import { ask, CallError } from '../call.js';
import { channelId, choice, fid, hash, input, optional, signerUuid } from '../input.js';
import { writeTool } from '../tool.js';

/** Methods by whether something is added or removed. */
const METHODS = { add: 'POST', remove: 'DELETE' } as const;

export const reactToCast = writeTool({
  name: 'react_to_cast',
  title: 'Like or recast',
  description: 'Like or recast a cast as the account of the signer, or take that back (remove).',
  destructive: true,
  idempotent: true,
  input: input({
    signer_uuid: signerUuid,
    cast: hash('The cast.'),
    reaction: choice(['like', 'recast'], 'Which reaction.'),
    action: optional(choice(['add', 'remove'], 'add when absent.')),
  }),
  run: async ({ signer_uuid, cast, reaction, action = 'add' }, call) => {
    const body = { signer_uuid, reaction_type: reaction, target: cast };
    await ask(call, { method: METHODS[action], path: '/v2/social/reaction/', body });
    return action === 'add' ? `The ${reaction} of ${cast} stands.` : `The ${reaction} of ${cast} is removed.`;
  },
});

export const follow = writeTool({
  name: 'follow',
  title: 'Follow or unfollow',
  description: 'Follow people or a channel as the account of the signer, or unfollow them (remove).',
  destructive: true,
  idempotent: true,
  input: input({
    signer_uuid: signerUuid,
    fids: optional(
      Type.Array(fid('A person.'), { minItems: 1, maxItems: 100, description: 'The people; or send channel_id.' }),
    ),
    channel_id: optional(channelId),
    action: optional(choice(['add', 'remove'], 'add when absent.')),
  }),
  run: async ({ signer_uuid, fids, channel_id, action = 'add' }, call) => {
    if ((fids === undefined) === (channel_id === undefined))
      throw new CallError(400, 'InvalidField', 'Send either fids or channel_id.');
    const method = METHODS[action];
    if (fids !== undefined)
      await ask(call, { method, path: '/v2/social/user/follow/', body: { signer_uuid, target_fids: fids } });
    else await ask(call, { method, path: '/v2/social/channel/follow/', body: { signer_uuid, channel_id } });
    const whom =
      fids === undefined ? 'the channel' : `${fids.length === 1 ? 'account' : 'accounts'} ${fids.join(', ')}`;
    return action === 'add' ? `Following ${whom}.` : `No longer following ${whom}.`;
  },
});
