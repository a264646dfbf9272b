-- What syncs removed because their hub lacks it, the latest time for each account and hub. Nothing else says later whether
-- that hub was behind the store; the audit looks for such rows.
create table hub_removal (
  fid bigint not null,
  hub text not null,
  removed_at timestamptz not null default clock_timestamp(),
  message_count integer not null,
  -- by shard: the newest block that the hub had, and the newest event that was stored from any hub
  hub_heights jsonb not null,
  stored_events jsonb not null,
  primary key (fid, hub)
);
