// Pages with the components of @neynar/react that read, each in a section of its own. INPUT is set by their test.
import {
  CastCard,
  NeynarAutoCompleteUser,
  NeynarCastCard,
  NeynarContextProvider,
  NeynarConversationList,
  NeynarFeedList,
  NeynarFrameCard,
  NeynarProfileCard,
  NeynarUserDropdown,
} from '@neynar/react';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import '@neynar/react/dist/style.css';

const { clientId, fid, viewerFid, cast, castUrl, root, channelId, parentUrl, embedUrl } = globalThis.INPUT;

const Dropdown = () => {
  const [value, setValue] = useState('');
  return <NeynarUserDropdown value={value} onChange={setValue} viewerFid={viewerFid} placeholder="dropdown" />;
};

const AutoComplete = () => {
  const [users, setUsers] = useState([]);
  return <NeynarAutoCompleteUser selectedUsers={users} onSelectUsers={setUsers} />;
};

const frame = {
  version: 'vNext',
  title: 'A frame',
  image: '/picture.svg',
  buttons: [{ index: 1, title: 'Press', action_type: 'post' }],
  input: {},
  state: {},
  frames_url: 'https://frame.example',
};

const sections = {
  profile: <NeynarProfileCard fid={fid} viewerFid={viewerFid} />,
  'cast-by-hash': <NeynarCastCard type="hash" identifier={cast} viewerFid={viewerFid} allowReactions />,
  'cast-by-url': <NeynarCastCard type="url" identifier={castUrl} />,
  'feed-fids': <NeynarFeedList feedType="filter" filterType="fids" fids={`${fid}`} viewerFid={viewerFid} />,
  'feed-channel': <NeynarFeedList feedType="filter" filterType="channel_id" channelId={channelId} />,
  'feed-parent-url': <NeynarFeedList feedType="filter" filterType="parent_url" parentUrl={parentUrl} />,
  'feed-embed-url': <NeynarFeedList feedType="filter" filterType="embed_url" embedUrl={embedUrl} />,
  'feed-global-trending': <NeynarFeedList feedType="filter" filterType="global_trending" limit={5} />,
  'feed-of-followed': <NeynarFeedList feedType="following" fid={viewerFid} viewerFid={viewerFid} withRecasts />,
  following: <NeynarFeedList path="/following" fid={viewerFid} viewerFid={viewerFid} limit={5} />,
  'for-you': <NeynarFeedList path="/for_you" fid={viewerFid} viewerFid={viewerFid} limit={5} />,
  channels: <NeynarFeedList path="/channels" channelIds={channelId} withRecasts membersOnly={false} limit={5} />,
  'parent-urls': <NeynarFeedList path="/parent_urls" parentUrls={parentUrl} limit={5} />,
  trending: <NeynarFeedList path="/trending" timeWindow="7d" limit={5} provider="neynar" />,
  frame: <NeynarFrameCard initialFrame={frame} onFrameBtnPress={async (_button, shown) => shown} />,
  card: (
    <CastCard
      username="nobody"
      displayName="Nobody"
      avatarImgUrl="/picture.svg"
      text="A card that reads nothing"
      hash={cast}
      reactions={{ likes_count: 3, recasts_count: 1, likes: [], recasts: [] }}
      replies={2}
      embeds={[]}
      frames={[]}
      hasPowerBadge={false}
      appAvatarImgUrl="/picture.svg"
      allowReactions
      renderEmbeds
      renderFrames={false}
      timestamp="2026-01-01T00:00:00.000Z"
    />
  ),
  // Their lists float over what stands below.
  dropdown: <Dropdown />,
  autocomplete: <AutoComplete />,
};

// On a page of its own: it draws itself again and again, so that the page stops as soon as somebody types into it.
const conversation = <NeynarConversationList type="hash" identifier={root} viewerFid={viewerFid} />;

createRoot(document.querySelector('main')).render(
  <NeynarContextProvider settings={{ clientId, defaultTheme: 'light' }}>
    {Object.entries(location.pathname === '/conversation' ? { conversation } : sections).map(([name, component]) => (
      <section key={name} id={name}>
        {component}
      </section>
    ))}
  </NeynarContextProvider>,
);
