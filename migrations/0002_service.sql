-- What the service itself keeps between requests and between processes.

-- Cache tags that a committed transaction changed (src/store/tag.ts). is_all: they would be too many to name.
create table change (
  id bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  at timestamptz not null default now(),
  tags bigint[] not null default '{}',
  is_all boolean not null default false
);
-- Readers also read the changes of all transactions that were still open when they read last.
create index change_xid on change (xid);

-- The event log: what webhooks and streams send, and this service offers as a hub.
create table hub_event (
  id bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  at timestamptz not null default now(),
  fid bigint not null,
  -- HubEventType of the protocol; below zero: an event of this service, which it does not offer as a hub
  type smallint not null,
  -- the protobuf HubEvent; JSON if type is below zero
  body bytea not null
);

-- When a scheduled job last began, so that several processes together run it once in its interval, and which run of it
-- is in progress: a lease that the run renews, so that a run whose process died ends by itself.
create table job_run (
  name text primary key,
  began_at timestamptz not null,
  claimed_by uuid,
  claimed_until timestamptz
);

-- Requests in the running minute, counted by all processes together: the table of rate-limiter-flexible
-- (docs/decisions/0036). Not logged: a crash of the server forgives what was counted, and no commit waits for the disk.
create unlogged table rate_limit (
  -- API key or address, and operation
  key text primary key,
  points bigint not null,
  -- Unix milliseconds; the count restarts after it
  expire bigint not null
) with (fillfactor = 50);
