-- What lists of people and casts are found by, and what decides who sees whom.
-- cube places locations on the unit sphere, where the nearest in space is the nearest on the ground;
-- pg_trgm finds names by their parts.
create extension if not exists cube;
create extension if not exists pg_trgm;

-- Accounts that an app does not show.
create table ban (
  fid bigint not null,
  app_id uuid not null,
  banned_at timestamptz not null default now(),
  primary key (fid, app_id)
);
create index ban_list on ban (app_id, banned_at, fid);

-- Accounts that an account does not want to see, within one app.
create table mute (
  fid bigint not null,
  app_id uuid not null,
  muted_fid bigint not null,
  muted_at timestamptz not null default now(),
  primary key (fid, app_id, muted_fid)
);
create index mute_list on mute (fid, app_id, muted_at, muted_fid);

-- Block links, by who blocks; the reverse question goes through the second index.
create table block (
  fid bigint not null,
  blocked_fid bigint not null,
  ts integer not null,
  hash bytea not null,
  primary key (fid, blocked_fid)
);
create index block_list on block (fid, ts, hash);
create index block_reverse on block (blocked_fid, ts, hash);

-- Until when an account has seen its notifications of a kind, within one app.
create table notification_seen (
  fid bigint not null,
  app_id uuid not null,
  -- follows, recasts, likes, mentions, replies, quotes
  type text not null,
  seen_at timestamptz not null,
  primary key (fid, app_id, type)
);

-- The newest reaction of a kind to each cast, so that a list of reacted casts reads one row for each
-- however many reactions it has. Kept by ingest.
create table reaction_group (
  target_fid bigint not null,
  target_hash bytea not null,
  type smallint not null,
  latest_ts integer not null,
  primary key (target_fid, target_hash, type)
);
create index reaction_group_latest on reaction_group (target_fid, latest_ts desc, target_hash, type);

create index cast_author on "cast" (fid, ts desc, hash desc);
create index cast_search on "cast" using gin (to_tsvector('simple', text));
create index account_name_search on account using gin (username gin_trgm_ops, display_name gin_trgm_ops);
create index account_username_prefix on account (username text_pattern_ops);
create index account_x_username on account (lower(x_username));

alter table account add column place cube generated always as (
  case when latitude is not null and longitude is not null then
    cube(array[cos(radians(latitude)) * cos(radians(longitude)),
               cos(radians(latitude)) * sin(radians(longitude)),
               sin(radians(latitude))])
  end
) stored;
create index account_place on account using gist (place) where place is not null;
