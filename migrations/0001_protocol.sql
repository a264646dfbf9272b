-- Data of the protocol. Every table that grows with the network leads its primary key with a fid
-- (the author's, or the target's for what is looked up by target), so that it can be distributed by it.
-- Timestamps named ts are protocol seconds (since 2021-01-01T00:00:00Z).
-- In tables with rows for each message, columns of eight bytes come before shorter ones and variable ones last: an eight
-- byte column begins at a multiple of eight, and what is skipped for it is stored in every row.

-- pg_trgm finds names by their parts; cube puts locations on the unit sphere, where the nearest in space is the nearest
-- on the ground.
create extension if not exists cube;
create extension if not exists pg_trgm;

-- The signed message of each conflict key: the protocol's conflict-free replicated sets.
create table message (
  fid bigint not null,
  target_fid bigint,
  ts integer not null,
  message_set smallint not null,
  type smallint not null,
  -- reaction type; link type (1 follow, 2 block, 0 other); user data type; else 0
  subtype smallint not null default 0,
  signature_scheme smallint not null default 1,
  -- 1: data came as data_bytes
  data_form smallint not null default 0,
  -- a link that the latest compact state excludes, kept because a newer state may include it again; a loan of 0 units, kept
  -- so that an older one does not return
  void boolean not null default false,
  key bytea not null,
  hash bytea not null,
  signer bytea not null,
  signature bytea not null,
  -- the exact bytes the hash is over
  data bytea not null,
  target_hash bytea,
  primary key (fid, message_set, key)
);
create index message_page on message (fid, type, subtype, ts, hash) where not void;
-- Storage lending messages by recipient.
create index message_lending on message (target_fid) where message_set = 8;
-- Accounts that an account follows, without reading the messages themselves: the following feed begins with them.
create index message_follow on message (fid, target_fid) where type = 5 and subtype = 1 and not void;
-- Feeds of many accounts read all recasts, and through cast_time all casts, of a period: cheaper than a read per account.
create index message_recast on message (ts desc, hash desc) include (fid, target_fid, target_hash)
  where type = 3 and subtype = 2;

create table "cast" (
  fid bigint not null,
  parent_fid bigint,
  -- root: the first cast of the thread as far as it is known; for a reply to an unknown cast, that cast
  root_fid bigint not null,
  ts integer not null,
  type smallint not null default 0,
  hash bytea not null,
  parent_hash bytea,
  root_hash bytea not null,
  text text not null,
  parent_url text,
  root_parent_url text,
  mentions bigint[] not null default '{}',
  mention_positions integer[] not null default '{}',
  -- [{"url": text} | {"fid": number, "hash": hex without 0x}]
  embeds jsonb not null default '[]',
  signer bytea not null,
  primary key (fid, hash)
);
create index cast_root on "cast" (root_fid, root_hash, ts);
create index cast_author on "cast" (fid, ts desc, hash desc);
create index cast_time on "cast" (ts desc, hash desc) include (fid);
create index cast_search on "cast" using gin (to_tsvector('simple', text));
-- Casts of a channel, replies in its threads included.
create index cast_place on "cast" (root_parent_url, ts desc, hash desc) where root_parent_url is not null;

-- Search terms of the URLs that a cast embeds: each URL up to its host and up to each of the first slashes of its path
-- ("https://a.example/", "https://a.example/b/"), and its file extension in lower case ("ext:png").
-- Scheme and host are in lower case, as they are compared (RFC 3986, 6.2.2.1). No function of ours is called here,
-- because an index is built without a search path.
create function embed_terms(embeds jsonb) returns text[] language sql immutable as $$
  select array_agg(distinct term)
    from jsonb_array_elements(embeds) e
    cross join lateral (select coalesce(substring(e ->> 'url' from '^[^/?#]*//[^/?#]*'), '') as host) h
    cross join lateral (
      select lower(host) || split_part(split_part(substr(e ->> 'url', length(host) + 1), '#', 1), '?', 1) as address
    ) a
    cross join lateral (select string_to_array(address, '/') as parts) p
    cross join lateral (
      select array_to_string(parts[1:depth], '/') || '/' as term
        from generate_series(3, greatest(3, least(cardinality(parts) - 1, 8))) depth
      union all
      select 'ext:' || lower(substring(address from '\.([A-Za-z0-9]{1,5})$')) where cardinality(parts) > 3
    ) t
   where term is not null and cardinality(parts) >= 3
$$;
create index cast_embed on "cast" using gin (embed_terms(embeds)) where embeds <> '[]';

create table cast_hash (
  hash bytea primary key,
  fid bigint not null
);

-- Replies, mentions and quotes also hold what notifications are read by. Ingest keeps both columns.
-- notified_fid: the account that the row names, unless it wrote the cast itself, or the cast refers to it in a stronger
-- way too (a reply before a quote before a mention), which then notifies it. null: the row notifies nobody.
-- root_parent_url: the parent URL of the cast's thread; null: it has none.
-- The indexes by URL have account and URL as one key: as two columns the planner may prefer an index that begins with
-- the account, and read all notifications of other channels.

-- Casts by parent. A parent URL is stored as parent_fid 0 and the URL's 20-byte digest.
create table cast_reply (
  parent_fid bigint not null,
  fid bigint not null,
  notified_fid bigint,
  ts integer not null,
  parent_hash bytea not null,
  hash bytea not null,
  root_parent_url text,
  primary key (parent_fid, parent_hash, ts, hash)
);
create index cast_reply_notified on cast_reply (notified_fid, ts, hash) where notified_fid is not null;
create index cast_reply_place on cast_reply ((notified_fid::text || ' ' || root_parent_url), ts, hash)
  where root_parent_url is not null and notified_fid is not null;

create table cast_mention (
  mentioned_fid bigint not null,
  fid bigint not null,
  notified_fid bigint,
  ts integer not null,
  hash bytea not null,
  root_parent_url text,
  primary key (mentioned_fid, ts, hash)
);
create index cast_mention_notified on cast_mention (notified_fid, ts, hash) where notified_fid is not null;
create index cast_mention_place on cast_mention ((notified_fid::text || ' ' || root_parent_url), ts, hash)
  where root_parent_url is not null and notified_fid is not null;

create table cast_quote (
  quoted_fid bigint not null,
  fid bigint not null,
  notified_fid bigint,
  ts integer not null,
  quoted_hash bytea not null,
  hash bytea not null,
  root_parent_url text,
  primary key (quoted_fid, quoted_hash, ts, hash)
);
create index cast_quote_notified on cast_quote (notified_fid, ts, hash) where notified_fid is not null;
create index cast_quote_place on cast_quote ((notified_fid::text || ' ' || root_parent_url), ts, hash)
  where root_parent_url is not null and notified_fid is not null;

-- Counters change far more often than what is indexed. With free space on its page a changed row stays where the indexes
-- point; otherwise every index of the table gets another entry. So cast_count and account have a low fillfactor.

-- Counters of a cast, also while the cast itself is not stored.
create table cast_count (
  fid bigint not null,
  hash bytea not null,
  like_count integer not null default 0,
  recast_count integer not null default 0,
  reply_count integer not null default 0,
  quote_count integer not null default 0,
  primary key (fid, hash)
) with (fillfactor = 70);

-- Reactions by target. A target URL is stored as target_fid 0 and the URL's 20-byte digest.
create table reaction (
  target_fid bigint not null,
  fid bigint not null,
  ts integer not null,
  type smallint not null,
  target_hash bytea not null,
  hash bytea not null,
  primary key (target_fid, target_hash, type, ts, hash)
);

-- The newest like and the newest recast of each cast, so that a list of reacted casts reads one row for each, however
-- many reactions it has. Ingest keeps it. root_parent_url: of the cast's thread; null: none, or the cast is not stored.
create table reaction_group (
  target_fid bigint not null,
  target_hash bytea not null,
  type smallint not null,
  latest_ts integer not null,
  root_parent_url text,
  primary key (target_fid, target_hash, type)
);
create index reaction_group_latest on reaction_group (target_fid, latest_ts desc, target_hash, type);
create index reaction_group_place
  on reaction_group ((target_fid::text || ' ' || root_parent_url), latest_ts desc, target_hash, type)
  where root_parent_url is not null;

-- Links by target; type as message.subtype.
create table link (
  target_fid bigint not null,
  type smallint not null,
  ts integer not null,
  hash bytea not null,
  fid bigint not null,
  primary key (target_fid, type, ts, hash)
);

-- Block links by the blocking account; block_reverse finds them by the blocked one.
create table block (
  fid bigint not null,
  blocked_fid bigint not null,
  ts integer not null,
  hash bytea not null,
  primary key (fid, blocked_fid)
);
create index block_list on block (fid, ts, hash);
create index block_reverse on block (blocked_fid, ts, hash);

create table verification (
  fid bigint not null,
  -- 0 Ethereum, 1 Solana
  protocol smallint not null,
  address bytea not null,
  ts integer not null,
  hash bytea not null,
  primary key (fid, protocol, address)
);

-- Accounts of an address. role: 0 custody, 1 verified.
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
  block_number bigint not null,
  log_index integer not null,
  transaction_hash bytea not null,
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
-- Accounts of a key.
create index signer_key_key on signer_key (key);

create table account (
  fid bigint primary key,
  custody_address bytea,
  recovery_address bytea,
  registered_at timestamptz,
  -- the earliest message that was ever accepted
  first_ts integer,
  -- claimed_username is what the user data says; username is the same unless another account has the latest proof of it
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
  score real not null default 0,
  -- Addresses as the account shows them, so that reading it needs its row alone. Compact JSON, in hex without 0x, oldest
  -- first; null: none.
  -- [[protocol, address], ...] of "verification"
  verifications text,
  -- [[key, fid of the app that requested it or null], ...] of the active keys of type 2 in "signer_key"
  auth_keys text
) with (fillfactor = 50);
create index account_claimed_username on account (claimed_username);
-- Finds whole names, too.
create index account_username on account (username text_pattern_ops);
create index account_x_username on account (lower(x_username));
-- New names wait in a pending list before they enter the index, and every search reads that list whole: keep it short
-- (kB). A long one makes a search read the whole table instead, at a hundred times the cost expected.
create index account_name_search on account using gin (username gin_trgm_ops, display_name gin_trgm_ops)
  with (gin_pending_list_limit = 64);
create index account_location on account (latitude, longitude, fid) where latitude is not null;

-- Locations of accounts, each once: the protocol rounds them to two decimals, so that the accounts of a city share a few.
-- The index returns the nearest locations in order of distance, and account_location the accounts of each in order of
-- fid. Rows stay when their last account leaves: an empty location costs one lookup.
create table place (
  latitude double precision not null,
  longitude double precision not null,
  -- On the unit sphere, where the nearest in space is the nearest on the ground. A pole has one point whatever its
  -- longitude, and the 180th meridian is the same from both sides.
  point cube not null generated always as (
    cube(array[
      cos(radians(latitude)) * cos(radians(case when abs(latitude) = 90 then 0 when longitude = -180 then 180 else longitude end)),
      cos(radians(latitude)) * sin(radians(case when abs(latitude) = 90 then 0 when longitude = -180 then 180 else longitude end)),
      sin(radians(latitude))
    ])
  ) stored,
  primary key (latitude, longitude)
);
create index place_point on place using gist (point);
