import { actorFid, changeUser, signerOfActor } from '../api/actor.js';
import { write } from '../api/client.js';
import type { components } from '../api/schema.js';
import { may } from '../api/session.js';
import { ActorProblem, useAction } from './action.js';

/** Follows an account as the one that acts, or unfollows it. */
export const FollowButton = ({ user }: { readonly user: components['schemas']['User'] }) => {
  const { run, isBusy, error } = useAction();
  const actor = actorFid.value;
  if (!may('write') || actor === user.fid) return null;
  const isFollowed = actor !== undefined && (user.viewer_context?.following ?? false);
  const follow = () =>
    run(async () => {
      const body = { signer_uuid: await signerOfActor(), target_fids: [user.fid] };
      await write(isFollowed ? 'delete' : 'post', '/v2/social/user/follow/', body);
      const context = user.viewer_context ?? {
        following: false,
        followed_by: false,
        blocking: false,
        blocked_by: false,
      };
      changeUser(user.fid, (one) => ({
        ...one,
        follower_count: one.follower_count + (isFollowed ? -1 : 1),
        viewer_context: { ...context, following: !isFollowed },
      }));
    });
  return (
    <>
      <button type="button" class="button" aria-pressed={isFollowed} disabled={isBusy} onClick={() => void follow()}>
        {isFollowed ? 'Unfollow' : 'Follow'}
      </button>
      <ActorProblem text={error} />
    </>
  );
};
