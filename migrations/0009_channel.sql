-- Channels: what they are called, who leads, follows and joins them, and where casts name them. The protocol knows only the
-- URL that casts have as their parent; everything else comes from the sources below.

create table channel (
  id text primary key,
  -- the URL that answers show as the parent URL of its casts
  parent_url text not null unique,
  -- its page
  url text not null,
  name text not null,
  description text,
  -- accounts named in the description, and the byte of the description at which each name is to be inserted
  description_mentions bigint[] not null default '{}',
  description_mention_positions integer[] not null default '{}',
  image_url text,
  header_image_url text,
  external_link_title text,
  external_link_url text,
  lead_fid bigint,
  pinned_cast_hash bytea,
  -- false: only members may cast; null: unknown
  public_casting boolean,
  -- who decides about it: 'local' (this server), 'file' (an imported list), 'client' (the interface of a client that is
  -- mirrored), 'protocol' (messages of the network)
  source text not null check (source in ('local', 'file', 'client', 'protocol')),
  -- when it was no longer in the list of its source; null: it is
  gone_at timestamptz,
  -- rows of channel_follow and channel_member
  follower_count integer not null default 0,
  member_count integer not null default 0,
  -- the numbers that its source tells where this server does not have all of them; null: it has
  listed_follower_count integer,
  listed_member_count integer,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- what searches look in: a space before each word
  search_text text not null generated always as (' ' || id || ' ' || lower(name)) stored
);
create index channel_newest on channel (created_at desc, id desc) where gone_at is null;
create index channel_search on channel using gin (search_text gin_trgm_ops);

-- Every spelling of a channel's URL in casts, the one in channel.parent_url included: clients wrote several over the years.
create table channel_parent_url (
  url text primary key,
  channel_id text not null
);
create index channel_parent_url_channel on channel_parent_url (channel_id, url);

create table channel_follow (
  channel_id text not null,
  fid bigint not null,
  followed_at timestamptz not null,
  primary key (channel_id, fid)
);
create index channel_follow_newest on channel_follow (channel_id, followed_at desc, fid desc);
create index channel_follow_of on channel_follow (fid, followed_at desc, channel_id);

-- The lead of a channel is its owner.
create table channel_member (
  channel_id text not null,
  fid bigint not null,
  -- 'owner', 'moderator' or 'member'
  role text not null check (role in ('owner', 'moderator', 'member')),
  -- lists show owners before moderators before members
  role_rank smallint not null generated always as (case role when 'owner' then 0 when 'moderator' then 1 else 2 end) stored,
  since timestamptz not null,
  primary key (channel_id, fid)
);
create index channel_member_ranked on channel_member (channel_id, role_rank, since, fid);
create index channel_member_of on channel_member (fid, since desc, channel_id);

-- Open invites to a role in a channel; an account has one for each channel.
create table channel_invite (
  channel_id text not null,
  fid bigint not null,
  inviter_fid bigint not null,
  -- 'moderator' or 'member'
  role text not null check (role in ('moderator', 'member')),
  invited_at timestamptz not null,
  primary key (channel_id, fid)
);
create index channel_invite_newest on channel_invite (invited_at desc, channel_id, fid);
create index channel_invite_channel on channel_invite (channel_id, invited_at desc, fid);
create index channel_invite_fid on channel_invite (fid, invited_at desc, channel_id);

-- Accounts that may not do everything in a channel.
create table channel_restriction (
  channel_id text not null,
  fid bigint not null,
  -- 'banned': may not follow or join; 'restricted': was removed, and may not be invited again
  kind text not null check (kind in ('banned', 'restricted')),
  since timestamptz not null,
  primary key (channel_id, fid)
);

-- Casts of each channel in the days before counted_at, as the job of trending channels counted them. Earlier counts remain
-- for those who read their next page.
create table channel_activity (
  counted_at timestamptz not null,
  channel_id text not null,
  cast_count_1d integer not null,
  cast_count_7d integer not null,
  cast_count_30d integer not null,
  primary key (counted_at, channel_id)
);
create index channel_activity_1d on channel_activity (counted_at, cast_count_1d desc, channel_id);
create index channel_activity_7d on channel_activity (counted_at, cast_count_7d desc, channel_id);
create index channel_activity_30d on channel_activity (counted_at, cast_count_30d desc, channel_id);

-- The channels in which an account has cast, each once, whatever the number of its casts.
create index cast_channel_of_author on "cast" (fid, root_parent_url, ts desc) where root_parent_url is not null;
-- Casts of the last days by channel, without reading the casts.
create index cast_channel_time on "cast" (ts) include (root_parent_url, fid) where root_parent_url is not null;
