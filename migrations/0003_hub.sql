-- How far this database has read its hubs. A hub is named by its address.

-- The newest event of each shard that is stored, written in the transaction that stores it.
create table hub_position (
  hub text not null,
  shard integer not null,
  event_id bigint not null,
  updated_at timestamptz not null default now(),
  primary key (hub, shard)
);

-- The process that follows the hub, of all that could: others take over when its time has run out. One row at most.
create table hub_leader (
  only_row boolean primary key default true check (only_row),
  process uuid not null,
  leads_until timestamptz not null,
  -- The HubState of the leader, for the readiness checks of the others
  state jsonb not null
);

-- Shards whose accounts must be compared with the hub: every account of the shard, at requested_at or later.
-- Shard -1: accounts that were named one by one; -2: the chosen accounts of partial mode.
create table hub_sync (
  hub text not null,
  shard integer not null,
  -- 'first': nothing of this shard was stored yet; 'gap': events were missed
  reason text not null,
  requested_at timestamptz not null,
  finished_at timestamptz,
  primary key (hub, shard)
);

-- The last request for which an account was compared with a hub: requested_at of its shard at that time.
create table hub_fid (
  fid bigint not null,
  hub text not null,
  synced_at timestamptz not null,
  primary key (fid, hub)
);

-- Items of hubs and files that could not be stored although the database took other writes: kept as they came, so that
-- they can be tried again once the cause is gone (`castellan refused`). Written in the transaction that moves the
-- position of the stream past them.
create table refused_item (
  id bigint generated always as identity primary key,
  -- 'message', 'removal', 'onchain' or 'proof'
  kind text not null,
  -- protobuf bytes: Message (also of a removal), OnChainEvent, UserNameProof
  body bytea not null,
  -- SHA-256 of body: the same item again is the same row
  digest bytea not null,
  -- reason of a removal: 'prune', 'revoke' or 'replaced'
  removal_reason text,
  fid bigint not null,
  -- source: 'hub', 'backfill', 'file' ...
  source text not null,
  -- with which options it was submitted
  announce boolean not null,
  trust_signers boolean not null,
  -- the latest error of PostgreSQL; null: the program itself rejected it
  sqlstate text,
  failure text not null,
  -- how often it was rejected
  attempts integer not null default 1,
  first_refused_at timestamptz not null default now(),
  last_refused_at timestamptz not null default now(),
  unique (kind, digest)
);
create index refused_item_fid on refused_item (fid);
