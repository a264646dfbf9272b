-- What the addresses that casts embed were found to be.
create table url_metadata (
  -- as casts write it
  url text primary key,
  -- protocol seconds of a cast that embeds it; null: a caller asked for it
  cast_ts integer,
  -- null: waits to be fetched
  fetched_at timestamptz,
  -- until when the result counts
  expires_at timestamptz,
  -- `EmbedUrlMetadata` of the interface; null: not fetched, or not readable
  metadata jsonb,
  -- media type in lower case, without parameters; null: not known
  type text,
  -- fetches that failed since the last one that did not
  failures smallint not null default 0,
  -- fetches that were begun while it waited; more than one: the service ended during one
  attempts smallint not null default 0
);
create index url_metadata_waiting on url_metadata (cast_ts desc) where fetched_at is null;
create index url_metadata_asked on url_metadata (expires_at) where cast_ts is null and fetched_at is not null;

-- Addresses that casts embed, with the media type that was found there. Written by the job that follows the event log;
-- a cast that was removed may still have rows for a while, which no list shows, because lists join the cast.
create table cast_url (
  url text not null,
  hash bytea not null,
  ts integer not null,
  -- in lower case, without parameters; null: not known
  type text,
  primary key (url, hash)
);
create index cast_url_hash on cast_url (hash);
create index cast_url_type on cast_url (type, ts desc, hash desc) where type is not null;
create index cast_url_family on cast_url (split_part(type, '/', 1), ts desc, hash desc) where type is not null;

-- How far the event log was searched for addresses, one row.
create table crawl_cursor (
  is_only boolean primary key default true check (is_only),
  log_id bigint not null
);
insert into crawl_cursor (log_id) select coalesce(max(id), 0) from hub_event;
