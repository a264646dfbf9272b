-- Requests with a key of the last hour, as the request log shows them. Not logged: a crash of the server loses them, and
-- no commit waits for the disk. Without foreign keys, because a key may be deleted within the hour.
create unlogged table request_log (
  -- Grows with time; pages of the list end at one.
  id bigint generated always as identity primary key,
  request_id text not null,
  organization_id uuid not null,
  api_key_id uuid not null,
  -- When the request came
  at timestamptz not null,
  operation text not null,
  method text not null,
  -- Path and query, with secrets masked
  address text not null,
  status smallint not null,
  -- Compute units
  units integer not null,
  milliseconds real not null,
  -- Of the error that the response had; null: it had none
  error_code text,
  error_message text,
  error_property text
);

-- How many requests of an organization there were in each minute, also those of which the log has no row.
create unlogged table request_minute (
  organization_id uuid not null,
  minute timestamptz not null,
  requests integer not null,
  -- Of these, with a status from 400 on
  failed integer not null,
  -- Of these, without a row in the log: there were too many at once
  unlisted integer not null,
  primary key (organization_id, minute)
) with (fillfactor = 50);
