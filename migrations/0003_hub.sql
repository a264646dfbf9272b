-- Where this database stands with the hubs that it reads. A hub is named by its address.

-- The newest event of each shard that is stored, written in the transaction that stores it.
create table hub_position (
  hub text not null,
  shard integer not null,
  event_id bigint not null,
  updated_at timestamptz not null default now(),
  primary key (hub, shard)
);

-- Shards whose accounts must be compared with the hub: every account of the shard, at requested_at or later.
-- Shard -1 stands for accounts that were named one by one, -2 for the chosen ones of partial mode.
create table hub_sync (
  hub text not null,
  shard integer not null,
  -- 'first': nothing of this shard was stored yet; 'gap': events were missed
  reason text not null,
  requested_at timestamptz not null,
  finished_at timestamptz,
  primary key (hub, shard)
);

-- For which request an account was compared with a hub last: the requested_at of its shard at that time.
create table hub_fid (
  fid bigint not null,
  hub text not null,
  synced_at timestamptz not null,
  primary key (fid, hub)
);
