import { useLocation, useRoute } from 'preact-iso';
import { actorFid } from '../api/actor.js';
import { useApi, usePages } from '../api/query.js';
import { ActAs } from '../part/act-as.js';
import { CastCard } from '../part/cast-card.js';
import { Mono } from '../part/copy.js';
import { Face } from '../part/face.js';
import { FollowButton } from '../part/follow-button.js';
import { channelPath } from '../part/link.js';
import { More } from '../part/more.js';
import { Card, Page } from '../part/page.js';
import { PersonRow } from '../part/person-row.js';
import { Empty, Loading } from '../part/state.js';
import { counted, formatNumber } from '../part/text.js';
import { TimeAgo } from '../part/time.js';

const TABS = { casts: 'Casts', followers: 'Followers', following: 'Following', channels: 'Channels' } as const;
type Tab = keyof typeof TABS;

const Casts = ({ fid }: { readonly fid: number }) => {
  const feed = usePages('/v2/social/feed/user/casts/', {
    fid,
    limit: 25,
    include_replies: true,
    ...(actorFid.value === undefined ? {} : { viewer_fid: actorFid.value }),
  });
  return (
    <Loading read={feed} what="The casts">
      {({ pages }) => (
        <>
          {pages.flatMap(({ casts }) => casts.map((cast) => <CastCard key={cast.hash} cast={cast} />))}
          {pages[0]?.casts.length === 0 ? (
            <Empty title="No casts">This account has not said anything yet.</Empty>
          ) : null}
          <More pages={feed} />
        </>
      )}
    </Loading>
  );
};

const Follows = ({ fid, path }: { readonly fid: number; readonly path: 'followers' | 'following' }) => {
  const list = usePages(path === 'followers' ? '/v2/social/followers/' : '/v2/social/following/', { fid, limit: 50 });
  return (
    <Loading read={list} what="The list">
      {({ pages }) => (
        <div class="list">
          {pages.flatMap(({ users }) => users.map(({ user }) => <PersonRow key={user.fid} user={user} />))}
          <More pages={list} />
        </div>
      )}
    </Loading>
  );
};

const Channels = ({ fid }: { readonly fid: number }) => {
  const read = useApi('/v2/social/user/channels/', { fid, limit: 50 });
  return (
    <Loading read={read} what="The channels">
      {({ channels }) => (
        <div class="list">
          {channels.length === 0 ? <Empty title="No channels">This account follows no channel.</Empty> : null}
          {channels.map((channel) => (
            <a key={channel.id} href={channelPath(channel.id)}>
              <b class="grow">/{channel.id}</b>
              <span class="faint small">{channel.name}</span>
            </a>
          ))}
        </div>
      )}
    </Loading>
  );
};

/** An account: who it is, what it says, whom it follows. */
export const PersonPage = () => {
  const { params } = useRoute();
  const { query, path } = useLocation();
  const fid = Number(params.fid);
  const tab: Tab = query.tab !== undefined && query.tab in TABS ? (query.tab as Tab) : 'casts';
  const read = useApi('/v2/social/user/bulk/', { fids: String(fid), viewer_fid: actorFid.value } as never);
  const user = read.data?.users[0];
  const name = user?.display_name || user?.username || `Account ${fid}`;
  return (
    <Page
      title={name}
      actions={
        user ? (
          <>
            <ActAs />
            <FollowButton user={user} />
          </>
        ) : undefined
      }
      note={user ? `@${user.username}, account ${fid}` : read.data ? 'There is no such account here.' : undefined}
    >
      <Loading read={read} what="The account">
        {({ users: [one] }) =>
          one === undefined ? (
            <Empty title="No such account">It may not be synced yet, or have never been registered.</Empty>
          ) : (
            <div class="card person">
              {one.profile.banner?.url ? (
                <img class="banner" src={one.profile.banner.url} alt="" referrerpolicy="no-referrer" />
              ) : (
                <i class="banner" />
              )}
              <div class="about">
                <Face fid={fid} url={one.pfp_url} size="l" />
                <p dir="auto">{one.profile.bio?.text}</p>
                <div class="facts-row">
                  <span>
                    <b>{formatNumber(one.following_count)}</b> following
                  </span>
                  <span>
                    <b>{formatNumber(one.follower_count)}</b> {one.follower_count === 1 ? 'follower' : 'followers'}
                  </span>
                  <span>
                    score <b>{one.score ?? one.experimental?.service_user_score ?? 'none'}</b>
                  </span>
                  {one.registered_at ? (
                    <span>
                      registered <TimeAgo at={one.registered_at} />
                    </span>
                  ) : null}
                </div>
                <div class="facts-row soft small">
                  <span>
                    custody <Mono text={one.custody_address} />
                  </span>
                  {one.verified_addresses.eth_addresses.map((address) => (
                    <span key={address}>
                      verified <Mono text={address} />
                    </span>
                  ))}
                </div>
              </div>
            </div>
          )
        }
      </Loading>
      <Card>
        <nav class="tabs" aria-label={counted(4, 'view')}>
          {(Object.entries(TABS) as [Tab, string][]).map(([key, title]) => (
            <a key={key} href={`${path}?tab=${key}`} aria-current={key === tab ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
        {tab === 'casts' ? <Casts fid={fid} /> : null}
        {tab === 'followers' || tab === 'following' ? <Follows fid={fid} path={tab} /> : null}
        {tab === 'channels' ? <Channels fid={fid} /> : null}
      </Card>
    </Page>
  );
};
