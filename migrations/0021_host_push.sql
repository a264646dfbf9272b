-- Where a host app wants to be told of notifications as they come. Of each app one, so that its id names the row.
create table host_webhook (
  app_id uuid primary key references app (id),
  url text not null,
  -- what the calls are signed with, under the master key, bound to the app's id
  sealed_secret bytea not null,
  created_at timestamptz not null
);

-- Notifications on their way to host apps: written with the notification, deleted once they arrived. They need no order.
create table host_push (
  -- stands in the body, so that the host app knows one that comes twice
  id uuid primary key,
  -- who wants no calls any more is owed none
  app_id uuid not null references host_webhook (app_id) on delete cascade,
  fid bigint not null,
  domain text not null,
  -- JSON, as it is sent and signed
  body text not null,
  state text not null check (state in ('pending', 'dead')),
  attempts integer not null default 0,
  -- when it is tried next; the future also while somebody tries it
  next_at timestamptz not null,
  -- when it is given up
  expires_at timestamptz not null,
  -- why the last attempt failed
  failure text,
  created_at timestamptz not null,
  -- when it was given up
  ended_at timestamptz
);
create index host_push_pending on host_push (app_id, next_at) where state = 'pending';
create index host_push_state on host_push (state, created_at);
