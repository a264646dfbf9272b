-- What the protocol says. Every table that grows with the network leads its primary key with a fid
-- (the author's, or the target's where the question is asked by target), so that it can be distributed by it.
-- Timestamps named ts are protocol seconds (since 2021-01-01T00:00:00Z).

-- One row for each conflict key: the signed message that holds it. The conflict-free replicated set is this table.
create table message (
  fid bigint not null,
  message_set smallint not null,
  key bytea not null,
  type smallint not null,
  -- reaction type; link type (1 follow, 2 block, 0 other); user data type; else 0
  subtype smallint not null default 0,
  ts integer not null,
  hash bytea not null,
  signer bytea not null,
  signature bytea not null,
  signature_scheme smallint not null default 1,
  -- the exact bytes the hash is over; data_form 1: they came as data_bytes
  data bytea not null,
  data_form smallint not null default 0,
  target_fid bigint,
  target_hash bytea,
  -- a link that the compact state in force rules out: kept, because a newer state may let it stand again
  void boolean not null default false,
  stored_at timestamptz not null default now(),
  primary key (fid, message_set, key)
);
create index message_page on message (fid, type, subtype, ts, hash) where not void;

create table "cast" (
  fid bigint not null,
  hash bytea not null,
  ts integer not null,
  type smallint not null default 0,
  text text not null,
  parent_fid bigint,
  parent_hash bytea,
  parent_url text,
  -- the first cast of the thread as far as it is stored; of a reply to an absent cast: that cast
  root_fid bigint not null,
  root_hash bytea not null,
  root_parent_url text,
  mentions bigint[] not null default '{}',
  mention_positions integer[] not null default '{}',
  -- [{"url": text} | {"fid": number, "hash": hex without 0x}]
  embeds jsonb not null default '[]',
  signer bytea not null,
  primary key (fid, hash)
);
create index cast_root on "cast" (root_fid, root_hash, ts);

create table cast_hash (
  hash bytea primary key,
  fid bigint not null
);

-- Casts by parent. A parent URL stands as parent_fid 0 and the URL's 20-byte digest.
create table cast_reply (
  parent_fid bigint not null,
  parent_hash bytea not null,
  ts integer not null,
  hash bytea not null,
  fid bigint not null,
  primary key (parent_fid, parent_hash, ts, hash)
);

create table cast_mention (
  mentioned_fid bigint not null,
  ts integer not null,
  hash bytea not null,
  fid bigint not null,
  primary key (mentioned_fid, ts, hash)
);

create table cast_quote (
  quoted_fid bigint not null,
  quoted_hash bytea not null,
  ts integer not null,
  hash bytea not null,
  fid bigint not null,
  primary key (quoted_fid, quoted_hash, ts, hash)
);

-- Counters of a cast; they may stand before the cast itself arrives and after it is gone.
create table cast_count (
  fid bigint not null,
  hash bytea not null,
  like_count integer not null default 0,
  recast_count integer not null default 0,
  reply_count integer not null default 0,
  quote_count integer not null default 0,
  primary key (fid, hash)
);

-- Reactions by target. A target URL stands as target_fid 0 and the URL's 20-byte digest.
create table reaction (
  target_fid bigint not null,
  target_hash bytea not null,
  type smallint not null,
  ts integer not null,
  hash bytea not null,
  fid bigint not null,
  primary key (target_fid, target_hash, type, ts, hash)
);

-- Links by target; type as message.subtype.
create table link (
  target_fid bigint not null,
  type smallint not null,
  ts integer not null,
  hash bytea not null,
  fid bigint not null,
  primary key (target_fid, type, ts, hash)
);

create table verification (
  fid bigint not null,
  -- 0 Ethereum, 1 Solana
  protocol smallint not null,
  address bytea not null,
  ts integer not null,
  hash bytea not null,
  primary key (fid, protocol, address)
);

-- Who answers to an address. role: 0 custody, 1 verified.
create table address_owner (
  address bytea not null,
  role smallint not null,
  fid bigint not null,
  ts integer not null,
  primary key (address, role, fid)
);

-- One row for each fid that ever proved a name; the name belongs to the latest by (timestamp, signature).
-- fid 0: the name was released.
create table username_proof (
  name text not null,
  fid bigint not null,
  type smallint not null,
  owner bytea not null,
  signature bytea not null,
  -- Unix seconds, as the proof says
  "timestamp" bigint not null,
  -- hash of the message that carried it; null: it came from the fname registry
  message_hash bytea,
  primary key (name, fid)
);
create index username_proof_fid on username_proof (fid);

create table onchain_event (
  fid bigint not null,
  type smallint not null,
  chain_id bigint not null,
  block_number bigint not null,
  log_index integer not null,
  transaction_hash bytea not null,
  block_timestamp bigint not null,
  -- the protobuf OnChainEvent
  body bytea not null,
  primary key (fid, type, block_number, log_index, transaction_hash)
);

-- Keys that may sign for an account. key_type 1: Ed25519 signer; 2: auth address (padded to 32 bytes).
create table signer_key (
  fid bigint not null,
  key bytea not null,
  key_type integer not null,
  active boolean not null,
  -- the event that decided it: the latest by (block_number, log_index); a protocol message counts its ts as block 0
  block_number bigint not null,
  log_index integer not null,
  decided_at timestamptz not null,
  request_fid bigint,
  primary key (fid, key)
);

create table account (
  fid bigint primary key,
  -- grows with each change of what a profile shows (not with the counters)
  version bigint not null default 1,
  custody_address bytea,
  recovery_address bytea,
  registered_at timestamptz,
  -- the earliest message that was ever accepted
  first_ts integer,
  -- what the user data says; username is the same while no other account holds the latest proof of the name
  claimed_username text,
  username text,
  display_name text,
  bio text,
  pfp_url text,
  url text,
  banner_url text,
  location text,
  latitude double precision,
  longitude double precision,
  x_username text,
  github_username text,
  primary_eth_address bytea,
  primary_sol_address bytea,
  profile_token text,
  live_url text,
  live_ts integer,
  pro_subscribed_at timestamptz,
  pro_expires_at timestamptz,
  follower_count integer not null default 0,
  following_count integer not null default 0,
  cast_count integer not null default 0,
  score real not null default 0
);
create index account_username on account (username);
create index account_claimed_username on account (claimed_username);

create table channel (
  id text primary key,
  parent_url text not null unique,
  url text not null,
  name text not null,
  description text,
  image_url text,
  lead_fid bigint,
  created_at timestamptz not null,
  version bigint not null default 1
);

-- What a committed batch touched, for caches. "all" is set when the lists would be too long to carry.
create table change (
  id bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  at timestamptz not null default now(),
  fids bigint[] not null default '{}',
  casts bytea[] not null default '{}',
  touches_all boolean not null default false
);

-- The event log that this service offers as a hub, and the outbox of webhooks.
create table hub_event (
  id bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  at timestamptz not null default now(),
  fid bigint not null,
  type smallint not null,
  -- the protobuf HubEvent
  body bytea not null
);

-- Lending messages by who is given storage.
create index message_lending on message (target_fid) where message_set = 8;
