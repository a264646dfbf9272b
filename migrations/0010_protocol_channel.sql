-- The channels of the protocol: registered onchain, changed by messages of kinds 18 to 21. A channel's id is the Keccak-256
-- hash of its key and the id of its token. `channel` and the tables beside it (0009_channel.sql) show them with those of
-- other sources.

create table protocol_channel (
  id bytea primary key,
  key text not null,
  label text,
  -- the holder of the token, and until when it is paid (Unix seconds); null: no event says it
  owner_address bytea,
  expires_at bigint,
  registered_at timestamptz not null,
  -- the newest event that was read
  block_number bigint not null,
  log_index integer not null,
  -- the account that verified owner_address last; null: the channel is parked
  owner_fid bigint,
  -- what the owner's latest update says; described_at null: there was none
  name text,
  description text,
  image_url text,
  header text,
  rules text,
  -- 1 everyone, 2 members only, 3 recommended: advice, which hubs do not enforce
  casting_mode smallint not null default 2,
  -- 1 open, 2 by approval
  membership_mode smallint not null default 2,
  described_at timestamptz,
  pinned_cast_hash bytea,
  -- rows of the two tables below, and moderators among them
  slot_count integer not null default 0,
  moderator_count integer not null default 0,
  moderation_count integer not null default 0,
  -- the parent URL under which it is in `channel`; null: it is not shown
  shown_url text
);
create index protocol_channel_owner on protocol_channel (owner_address);

-- What accounts are to a channel, besides its owner. Rows stay: who left, was removed or unbanned is 'removed'.
create table protocol_channel_slot (
  channel_id bytea not null,
  fid bigint not null,
  state text not null check (state in ('member', 'moderator', 'banned', 'removed')),
  -- since when it is a member, or is none
  since timestamptz not null,
  primary key (channel_id, fid)
);

-- Casts that the channel hid, or shows again. Rows stay.
create table protocol_channel_moderation (
  channel_id bytea not null,
  cast_hash bytea not null,
  hidden boolean not null,
  primary key (channel_id, cast_hash)
);

-- Every message about a channel in the order of arrival, which decides the state; "message" has the bytes. Timestamps do
-- not decide: the network's order is that of its blocks.
create table protocol_channel_message (
  position bigint generated always as identity primary key,
  -- no bytes: a message of an earlier version that names no channel
  channel_id bytea not null,
  fid bigint not null,
  hash bytea not null unique,
  type smallint not null,
  -- why it changed nothing; null: it was accepted
  refusal text
);
-- Messages about channels that were not registered yet.
create index protocol_channel_message_unregistered on protocol_channel_message (channel_id, position)
  where refusal = 'unregistered';

-- Messages about channels, among which the job looks for those that an earlier version did not read.
create index message_channel on message (hash) where type >= 18 and type <= 21;
