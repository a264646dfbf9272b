-- When the lists about a channel were last read from the client that is mirrored (CASTELLAN_CHANNEL_SOURCE=client), so that
-- the one whose lists are the oldest is read next. Null: never.
create table channel_sync (
  channel_id text primary key,
  members_at timestamptz,
  followers_at timestamptz
);
