-- Host apps and the mini apps that their users added.

-- Tokens with which a mini app's server notifies a user of a host app. A token that ends is deleted.
create table host_token (
  -- SHA-256 of the token: tokens have 256 bits of entropy, so a slow hash would only cost time
  hash bytea primary key,
  app_id uuid not null references app (id),
  fid bigint not null,
  -- host name of the mini app; in development it may have a port
  domain text not null,
  minted_at timestamptz not null,
  -- when it ends if no event carries it; null once one does
  lapses_at timestamptz,
  -- since when it works; null while no event that carries it was delivered
  live_at timestamptz,
  -- since when the user has turned them off, until the mini app is informed
  closed_at timestamptz,
  -- what was sent with it: the last time, and how many since day_from
  last_at timestamptz,
  day_from timestamptz,
  day_count integer not null default 0
);
create index host_token_user on host_token (app_id, fid, domain);
create index host_token_lapses on host_token (lapses_at) where lapses_at is not null;

-- Signed events on their way to mini apps: written before they are sent, one after the other for each user and domain.
create table host_delivery (
  id uuid primary key,
  position bigint generated always as identity,
  app_id uuid not null references app (id),
  fid bigint not null,
  domain text not null,
  event text not null,
  -- {header, payload, signature} as it is sent; empty once delivered, since it may hold a token
  message text not null,
  -- SHA-256 of what was signed: the same bytes again are no new event
  digest bytea not null,
  -- the token that it carries
  token_hash bytea,
  state text not null check (state in ('pending', 'delivered', 'dead')),
  attempts integer not null default 0,
  -- time of the next attempt; in the future also during an attempt
  next_at timestamptz not null,
  -- when it is given up
  expires_at timestamptz not null,
  -- why the last attempt failed
  failure text,
  created_at timestamptz not null,
  ended_at timestamptz
);
create index host_delivery_pending on host_delivery (app_id, fid, domain, position) where state = 'pending';
create index host_delivery_user on host_delivery (app_id, fid, position);
create index host_delivery_ended on host_delivery (ended_at) where state <> 'pending';
-- An event that an account signed is accepted once, through whichever app it arrives.
create index host_delivery_digest on host_delivery (fid, digest);
-- Domains take turns: the next events of one are found without reading those of the others.
create index host_delivery_turn on host_delivery (domain, next_at, position) where state = 'pending';

-- Notifications of mini apps to users of host apps. The same id within a day is the same notification.
create table host_notification (
  app_id uuid not null references app (id),
  fid bigint not null,
  domain text not null,
  notification_id text not null,
  id uuid not null,
  title text not null,
  body text not null,
  target_url text not null,
  created_at timestamptz not null,
  primary key (fid, app_id, domain, notification_id)
);
create index host_notification_list on host_notification (fid, app_id, created_at desc, id desc);
create index host_notification_created on host_notification (created_at);

-- The address to which notifications are pushed, one for each app.
create table host_webhook (
  app_id uuid primary key references app (id),
  url text not null,
  -- what the calls are signed with, under the master key, bound to the app's id
  sealed_secret bytea not null,
  created_at timestamptz not null
);

-- Notifications on their way to host apps: written with the notification, deleted once they arrived. They are unordered.
create table host_push (
  -- part of the body, so that the host app recognizes one that arrives twice
  id uuid primary key,
  app_id uuid not null references host_webhook (app_id) on delete cascade,
  fid bigint not null,
  domain text not null,
  -- JSON, as it is sent and signed
  body text not null,
  state text not null check (state in ('pending', 'dead')),
  attempts integer not null default 0,
  -- time of the next attempt; in the future also during an attempt
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
