import { useRoute } from 'preact-iso';
import { actorFid } from '../api/actor.js';
import { useApi, usePages } from '../api/query.js';
import { ActAs } from '../part/act-as.js';
import { CastCard } from '../part/cast-card.js';
import { personPath } from '../part/link.js';
import { More } from '../part/more.js';
import { Card, Page } from '../part/page.js';
import { Empty, Loading } from '../part/state.js';
import { counted } from '../part/text.js';

/** A channel and its newest casts. */
export const Channel = () => {
  const { id = '' } = useRoute().params;
  const read = useApi('/v2/social/channel/', { id });
  const feed = usePages('/v2/social/feed/channels/', {
    channel_ids: id,
    members_only: false,
    limit: 25,
    viewer_fid: actorFid.value,
  } as never);
  const channel = read.data?.channel;
  return (
    <Page
      title={`/${id}`}
      note={
        channel ? (
          <>
            {channel.name}, {counted(channel.follower_count ?? 0, 'follower')}
            {channel.lead ? (
              <>
                , led by{' '}
                <a class="link" href={personPath(channel.lead.fid)}>
                  @{channel.lead.username}
                </a>
              </>
            ) : null}
          </>
        ) : undefined
      }
      actions={<ActAs />}
    >
      {channel?.description ? (
        <p class="soft" dir="auto">
          {channel.description}
        </p>
      ) : null}
      <Card title="Newest casts">
        <Loading read={feed} what="The casts">
          {({ pages }) => (
            <>
              {pages.flatMap(({ casts }) => casts.map((cast) => <CastCard key={cast.hash} cast={cast} />))}
              {pages[0]?.casts.length === 0 ? (
                <Empty title="Nobody has said anything here">Casts of the channel show here as they come.</Empty>
              ) : null}
              <More pages={feed} />
            </>
          )}
        </Loading>
      </Card>
    </Page>
  );
};
