import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { actorFid } from '../api/actor.js';
import { usePages } from '../api/query.js';
import type { components } from '../api/schema.js';
import { ActAs } from '../part/act-as.js';
import { CastCard, type CastView } from '../part/cast-card.js';
import { channelPath } from '../part/link.js';
import { More } from '../part/more.js';
import { Card, Page } from '../part/page.js';
import { SignedMessage } from '../part/signed-message.js';
import { Loading } from '../part/state.js';
import { counted } from '../part/text.js';

type Replied = components['schemas']['CastAndConversations'];
type Branch = CastView & { readonly direct_replies?: readonly Branch[] };

const Replies = ({ casts }: { readonly casts: readonly Branch[] }) => (
  <>
    {casts.map((cast) => (
      <div class="reply" key={cast.hash}>
        <CastCard cast={cast} />
        <Replies casts={cast.direct_replies ?? []} />
      </div>
    ))}
  </>
);

const countOf = (casts: readonly Branch[]): number =>
  casts.reduce((sum, { direct_replies: replies = [] }) => sum + 1 + countOf(replies), 0);

/** A cast with what it answers, and its replies. */
export const Conversation = () => {
  const { hash = '' } = useRoute().params;
  const [isSigned, setSigned] = useState(false);
  const read = usePages('/v2/social/cast/conversation/', {
    identifier: hash,
    type: 'hash',
    reply_depth: 3,
    include_chronological_parent_casts: true,
    limit: 20,
    ...(actorFid.value === undefined ? {} : { viewer_fid: actorFid.value }),
  });
  const first = read.data?.pages[0]?.conversation;
  const cast = first?.cast;
  const replies = (read.data?.pages ?? []).flatMap(({ conversation }) => conversation.cast.direct_replies as Replied[]);
  return (
    <Page
      title="Conversation"
      note={
        cast ? (
          <>
            {counted(countOf(replies as Branch[]) + 1 + (first?.chronological_parent_casts?.length ?? 0), 'cast')} shown
            {cast.channel ? (
              <>
                {' in '}
                <a class="link" href={channelPath(cast.channel.id)}>
                  /{cast.channel.id}
                </a>
              </>
            ) : null}
          </>
        ) : undefined
      }
      actions={
        cast ? (
          <>
            <ActAs />
            <button
              type="button"
              class={`button${isSigned ? ' on' : ''}`}
              aria-expanded={isSigned}
              onClick={() => setSigned(!isSigned)}
            >
              Signed message
            </button>
          </>
        ) : undefined
      }
    >
      {isSigned && cast ? (
        <Card title="As its author signed it, checked now">
          <SignedMessage fid={cast.author.fid} hash={cast.hash} />
        </Card>
      ) : null}
      <Card>
        <Loading read={read} what="The conversation">
          {() => (
            <>
              {(first?.chronological_parent_casts ?? []).map((parent) => (
                <CastCard key={parent.hash} cast={parent as CastView} />
              ))}
              {cast ? <CastCard cast={cast as CastView} isHere /> : null}
              <Replies casts={replies as Branch[]} />
              <More pages={read} />
            </>
          )}
        </Loading>
      </Card>
    </Page>
  );
};
