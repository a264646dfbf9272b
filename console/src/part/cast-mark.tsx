import { useState } from 'preact/hooks';
import { actorFid, changeCast, signerOfActor } from '../api/actor.js';
import { write } from '../api/client.js';
import { refresh } from '../api/query.js';
import { useRequestId } from '../api/request-id.js';
import type { components } from '../api/schema.js';
import { may } from '../api/session.js';
import { ActorProblem, useAction } from './action.js';
import { castPath } from './link.js';
import { counted } from './text.js';

type Cast = components['schemas']['Cast'];
type Reaction = 'like' | 'recast';

/** @returns the cast as it is after the account has reacted, or taken it back */
const reacted = (cast: Cast, reaction: Reaction, isOn: boolean): Cast => {
  const { reactions, viewer_context: context = { liked: false, recasted: false } } = cast;
  const step = isOn ? 1 : -1;
  return reaction === 'like'
    ? {
        ...cast,
        reactions: { ...reactions, likes_count: reactions.likes_count + step },
        viewer_context: { ...context, liked: isOn },
      }
    : {
        ...cast,
        reactions: { ...reactions, recasts_count: reactions.recasts_count + step },
        viewer_context: { ...context, recasted: isOn },
      };
};

const ReplyForm = ({ cast, close }: { readonly cast: Cast; readonly close: () => void }) => {
  const [text, setText] = useState('');
  const { idFor, succeeded } = useRequestId();
  const { run, isBusy, error } = useAction();
  const reply = () =>
    run(async () => {
      const body = { signer_uuid: await signerOfActor(), text, parent: cast.hash };
      await write('post', '/v2/social/cast/', { ...body, idem: idFor(body) } as never);
      succeeded();
      changeCast(cast.hash, (one) => ({ ...one, replies: { ...one.replies, count: one.replies.count + 1 } }));
      await refresh('/v2/social/cast/conversation/');
      close();
    });
  return (
    <form
      class="form reply-form"
      onSubmit={(event) => {
        event.preventDefault();
        void reply();
      }}
    >
      <textarea
        class="input"
        rows={2}
        required
        autofocus
        aria-label={`Reply to ${cast.author.username}`}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <div class="row">
        <button type="submit" class="button first" disabled={isBusy}>
          Send the reply
        </button>
        <button type="button" class="button" onClick={close}>
          Leave it
        </button>
        <ActorProblem text={error} />
      </div>
    </form>
  );
};

/** The counts of a cast. With a key that may write, they are buttons of the account that acts. */
export const CastMarks = ({ cast }: { readonly cast: Cast }) => {
  const { reactions, replies, viewer_context: context } = cast;
  const [isReplying, setReplying] = useState(false);
  const { run, isBusy, error } = useAction();
  const likes = counted(reactions.likes_count, 'like');
  const recasts = counted(reactions.recasts_count, 'recast');
  const answers = <a href={castPath(cast.hash)}>{counted(replies.count, 'reply', 'replies')}</a>;
  if (!may('write'))
    return (
      <div class="marks">
        {answers}
        <span>{recasts}</span>
        <span>{likes}</span>
      </div>
    );
  const hasActor = actorFid.value !== undefined;
  const isLiked = hasActor && (context?.liked ?? false);
  const isRecast = hasActor && (context?.recasted ?? false);
  const react = (reaction: Reaction, isOn: boolean) =>
    run(async () => {
      const body = {
        signer_uuid: await signerOfActor(),
        reaction_type: reaction,
        target: cast.hash,
        target_author_fid: cast.author.fid,
      };
      await write(isOn ? 'post' : 'delete', '/v2/social/reaction/', body);
      changeCast(cast.hash, (one) => reacted(one, reaction, isOn));
    });
  return (
    <>
      <div class="marks">
        {answers}
        <button
          type="button"
          aria-pressed={isRecast}
          title={isRecast ? 'Take the recast back' : 'Recast'}
          disabled={isBusy}
          onClick={() => void react('recast', !isRecast)}
        >
          {recasts}
        </button>
        <button
          type="button"
          aria-pressed={isLiked}
          title={isLiked ? 'Take the like back' : 'Like'}
          disabled={isBusy}
          onClick={() => void react('like', !isLiked)}
        >
          {likes}
        </button>
        <button type="button" aria-expanded={isReplying} onClick={() => setReplying(!isReplying)}>
          Reply
        </button>
        <ActorProblem text={error} />
      </div>
      {isReplying ? <ReplyForm cast={cast} close={() => setReplying(false)} /> : null}
    </>
  );
};
