-- What goes out about what happened: webhooks and streams. The log of what happened is hub_event.

-- Finds the event of a time; costs the ingest next to nothing.
create index hub_event_at on hub_event using brin (at) with (pages_per_range = 16);

-- Addresses of programs that are told what happened.
create table webhook (
  id uuid primary key,
  app_id uuid not null references app (id),
  title text not null,
  target_url text not null,
  -- WebhookSubscriptionFilters of the contract: what it is told
  filters jsonb not null,
  subscription_id uuid not null,
  -- 'neutral' or 'ecosystem': the names in the bodies and in the header of the signature, those of the path that made it
  dialect text not null,
  active boolean not null,
  -- why the service switched it off; null: it did not
  inactive_reason text,
  -- it is told what is in the log after this event
  after_log_id bigint not null,
  -- the first failed attempt after the last success; null: the last attempt succeeded, or there was none
  failing_since timestamptz,
  -- raised by every change of what it is told, so that the dispatcher sees the change
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  subscription_updated_at timestamptz not null,
  deleted_at timestamptz
);
create index webhook_app on webhook (app_id, created_at desc, id) where deleted_at is null;

-- What deliveries are signed with. During a rotation a webhook has two.
create table webhook_secret (
  id uuid primary key,
  webhook_id uuid not null references webhook (id),
  -- under the master key, bound to the id
  sealed_value bytea not null,
  created_at timestamptz not null,
  -- null: it does not end
  expires_at timestamptz
);
create index webhook_secret_webhook on webhook_secret (webhook_id, created_at);

-- How far the log was read, one row: deliveries of all events up to log_id are written.
create table webhook_cursor (
  is_only boolean primary key default true check (is_only),
  log_id bigint not null
);

-- Changes of profiles that wait for others, so that several within a few seconds are one user.updated event.
create table webhook_user_change (
  fid bigint primary key,
  -- the latest change
  log_id bigint not null,
  part integer not null,
  at timestamptz not null,
  -- time of the first change
  since timestamptz not null
);

-- Events as they are sent, rendered once for all webhooks with the same names.
create table webhook_event (
  log_id bigint not null,
  part integer not null,
  dialect text not null,
  created_at timestamptz not null,
  body text not null,
  primary key (log_id, part, dialect)
);
create index webhook_event_created on webhook_event using brin (created_at);

-- One event for one webhook.
create table webhook_delivery (
  id uuid primary key,
  webhook_id uuid not null references webhook (id),
  log_id bigint not null,
  part integer not null,
  type text not null,
  state text not null check (state in ('pending', 'delivered', 'dead', 'cancelled')),
  -- since it was written or replayed
  attempts integer not null default 0,
  -- time of the next attempt; in the future also during an attempt
  next_at timestamptz not null,
  -- when it is given up
  expires_at timestamptz not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  unique (webhook_id, log_id, part)
);
create index webhook_delivery_pending on webhook_delivery (webhook_id, next_at) where state = 'pending';
create index webhook_delivery_dead on webhook_delivery (webhook_id) where state = 'dead';
create index webhook_delivery_ended on webhook_delivery (ended_at) where state <> 'pending';

-- Attempts to deliver.
create table webhook_attempt (
  webhook_id uuid not null,
  id bigint generated always as identity,
  delivery_id uuid not null,
  log_id bigint not null,
  part integer not null,
  type text not null,
  -- 1 for the first attempt since the delivery was written or replayed
  number integer not null,
  at timestamptz not null,
  latency_ms integer not null,
  -- HTTP status; null: there was no response
  status smallint,
  -- why it failed; null: it did not
  failure text,
  primary key (webhook_id, id)
);
create index webhook_attempt_at on webhook_attempt using brin (at);
insert into webhook_cursor (log_id) select coalesce(max(id), 0) from hub_event;

-- How far the log was deleted because it is old, one row: nothing is kept of it up to log_id.
create table event_log_start (
  is_only boolean primary key default true check (is_only),
  log_id bigint not null,
  -- time of the last deleted row; null: nothing was deleted
  at timestamptz
);
insert into event_log_start (log_id) values (0);

-- What browsers open streams with instead of a key, once and within a minute.
create table stream_ticket (
  -- SHA-256 of the ticket
  hash bytea primary key,
  api_key_id uuid not null references api_key (id),
  expires_at timestamptz not null
);
create index stream_ticket_expires on stream_ticket (expires_at);
