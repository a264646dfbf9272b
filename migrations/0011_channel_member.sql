-- Who belongs to a channel, as its keeper says.
create table channel_member (
  channel_id text not null,
  fid bigint not null,
  -- member, moderator or owner
  role text not null,
  primary key (channel_id, fid)
);
create index channel_member_of on channel_member (fid, channel_id);
