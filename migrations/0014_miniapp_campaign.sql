-- This server as the backend of mini apps: the tokens that hosts gave it, and the notifications that it sends to hosts.
-- Tables named host_* are the other half, the server as a host.

-- Which domain an app's mini app has.
create table mini_app (
  app_id uuid primary key references app (id),
  -- in lower case; in development it may have a port
  domain text not null
);

-- The tokens of an app's users: one for each user and host (client), the latest that the host gave.
create table mini_app_token (
  app_id uuid not null references app (id),
  fid bigint not null,
  -- account of the host
  client_fid bigint not null,
  -- where the host takes notifications
  url text not null,
  -- stored as text, because it is sent to the host
  token text not null,
  status text not null check (status in ('enabled', 'disabled', 'invalid')),
  -- SHA-256 of the signed bytes of the last events that carried a token, the newest first: they have no time, and would
  -- bring an old token back
  digests bytea[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (app_id, fid, client_fid)
);
create index mini_app_token_list on mini_app_token (app_id, created_at, fid, client_fid);
-- Finds an event that another app took already.
create index mini_app_token_user on mini_app_token (fid, client_fid);

-- A notification to users of a mini app. Its id is the notificationId of the calls to hosts.
create table campaign (
  id uuid primary key,
  app_id uuid not null references app (id),
  -- what makes a repeated request the same one, if the caller sent it, and SHA-256 of the whole body
  idempotency_key uuid,
  body_digest bytea not null,
  title text not null,
  body text not null,
  target_url text not null,
  status text not null check (status in ('queued', 'running', 'completed')),
  -- enabled tokens of the audience, and the disabled or invalid ones, when it was queued
  token_count integer not null,
  disabled_count integer not null,
  client_fids bigint[] not null,
  -- numbers of tokens by host and outcome, once it is completed (src/store/miniapp/campaign-result.ts)
  result jsonb,
  -- accounts to which it may be sent again, once it is completed
  retryable_fids bigint[],
  created_at timestamptz not null,
  completed_at timestamptz
);
create unique index campaign_key on campaign (app_id, idempotency_key);
create index campaign_list on campaign (app_id, created_at desc, id desc);
create index campaign_running on campaign (created_at) where status <> 'completed';
create index campaign_completed on campaign (completed_at) where status = 'completed';

-- The tokens that a campaign addresses, and what became of each. Deleted some time after the campaign is completed.
create table campaign_recipient (
  campaign_id uuid not null references campaign (id),
  fid bigint not null,
  client_fid bigint not null,
  app_id uuid not null,
  state text not null check (state in
    ('pending', 'delivered', 'invalid', 'disabled', 'rate_limited', 'failed', 'http_error')),
  -- of http_error: status of the response, or why there was none
  reason text,
  -- failed calls so far
  failures smallint not null default 0,
  -- time of the next call; in the future also during a call
  next_at timestamptz not null,
  -- when the last call ended; during a call, when it began
  sent_at timestamptz,
  open_count integer not null default 0,
  primary key (campaign_id, fid, client_fid)
);
create index campaign_recipient_pending on campaign_recipient (campaign_id, client_fid, fid) where state = 'pending';
-- What a token was sent lately: hosts limit it.
create index campaign_recipient_sent on campaign_recipient (app_id, fid, client_fid, sent_at) where sent_at is not null;

-- How often hosts' users opened the notification of a campaign. It outlives the recipients.
create table campaign_open_count (
  campaign_id uuid not null references campaign (id),
  client_fid bigint not null,
  total integer not null,
  distinct_users integer not null,
  primary key (campaign_id, client_fid)
);
