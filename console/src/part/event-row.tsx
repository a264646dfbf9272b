import type { ComponentChildren } from 'preact';
import type { StreamedEvent } from '../api/stream.js';
import { Face } from './face.js';
import { castPath, channelPath, personPath } from './link.js';
import { Time } from './time.js';

interface Author {
  readonly fid: number;
  readonly username?: string;
  readonly pfp_url?: string | null;
}

const Name = ({ user }: { readonly user: Author | undefined }) =>
  user ? (
    <a href={personPath(user.fid)}>
      <b>{user.username ?? `account ${user.fid}`}</b>
    </a>
  ) : (
    <b>somebody</b>
  );

interface Told {
  readonly who: Author | undefined;
  readonly what: ComponentChildren;
  readonly text?: string;
}

const REACTIONS: Readonly<Record<number, string>> = { 1: 'liked', 2: 'recast' };

/** @returns an event as a sentence; undefined for one without words here */
const tell = ({ type, data }: StreamedEvent): Told | undefined => {
  if (type === 'cast.created') {
    const isReply = Boolean(data.parent_hash);
    const place = data.channel ? (
      <>
        {' in '}
        <a href={channelPath(data.channel.id)}>
          <b>/{data.channel.id}</b>
        </a>
      </>
    ) : null;
    return {
      who: data.author,
      what: (
        <>
          <a href={castPath(data.hash)}>{isReply ? 'replied' : 'cast'}</a>
          {place}
        </>
      ),
      text: data.text,
    };
  }
  if (type === 'cast.deleted') return { who: data.author, what: 'removed a cast' };
  if (type === 'follow.created' || type === 'follow.deleted')
    return {
      who: data.user,
      what: (
        <>
          {type === 'follow.created' ? 'follows' : 'no longer follows'} <Name user={data.target_user} />
        </>
      ),
    };
  if (type === 'reaction.created' || type === 'reaction.deleted') {
    const done = REACTIONS[data.reaction_type as number] ?? 'reacted to';
    return {
      who: data.user,
      what: (
        <>
          {type === 'reaction.created' ? done : `took back: ${done}`}{' '}
          {data.cast ? <a href={castPath(data.cast.hash)}>a cast</a> : 'a cast'}
          {data.cast?.author ? (
            <>
              {' of '}
              <Name user={data.cast.author} />
            </>
          ) : null}
        </>
      ),
    };
  }
  if (type === 'user.updated') return { who: data, what: 'changed the profile' };
  if (type === 'user.created') return { who: data, what: 'came to the network' };
  return undefined;
};

export const EventRow = ({ event }: { readonly event: StreamedEvent }) => {
  const { who, what, text } = tell(event) ?? { who: undefined, what: event.type, text: undefined };
  return (
    <div class="new">
      <Face fid={who?.fid ?? 1} url={who?.pfp_url} />
      <div class="grow">
        <Name user={who} /> <span class="soft">{what}</span>
        {text ? (
          <div class="soft cut" dir="auto">
            “{text}”
          </div>
        ) : null}
      </div>
      <Time at={new Date(event.created_at * 1000).toISOString()} />
    </div>
  );
};
