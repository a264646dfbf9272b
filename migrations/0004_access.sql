-- Callers and what they may do. These tables grow with organizations and apps, not with the network, so foreign keys
-- between them cost nothing.

create table organization (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  created_at timestamptz not null default now(),
  status text not null default 'active' check (status in ('active', 'inactive')),
  billing_email text
);

create table app (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organization (id),
  name text not null,
  -- the app's own account, for the operations that sign as the app
  fid bigint,
  created_at timestamptz not null default now(),
  -- domains that sign-in messages (EIP-4361) may be for; none: any domain. Lower case, with a port where it is not the
  -- default one: app.example, localhost:3000
  sign_in_domains text[] not null default '{}'
);
create index app_organization on app (organization_id);

create table api_key (
  id uuid primary key default gen_random_uuid(),
  app_id uuid not null references app (id),
  name text not null,
  -- SHA-256 of the key: keys have 256 bits of entropy, so a slow hash would only cost time
  hash bytea not null unique,
  -- first characters of the key, by which a person recognizes it in a list
  prefix text not null,
  scopes text[] not null,
  -- the key that the configuration names: it is replaced when the configuration changes
  configured boolean not null default false,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
create index api_key_app on api_key (app_id);

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

-- Time up to which an account has seen its notifications of a type, within one app.
create table notification_seen (
  fid bigint not null,
  app_id uuid not null,
  -- follows, recasts, likes, mentions, replies, quotes
  type text not null,
  seen_at timestamptz not null,
  primary key (fid, app_id, type)
);

-- Ed25519 keys made here, with which an app signs for the accounts that approved them. Whether a key is approved is in
-- signer_key alone.
create table managed_signer (
  -- the signer_uuid of the interface
  id uuid primary key,
  app_id uuid not null references app (id),
  public_key bytea not null unique,
  -- the 32-byte seed under the master key, bound to the id
  sealed_seed bytea not null,
  permissions text[] not null,
  -- the first account that approved it; another account may register the same public key, which changes nothing here
  fid bigint,
  created_at timestamptz not null
);
create index managed_signer_fid on managed_signer (fid, app_id);

-- The latest request of each app that an account take a key.
create table signed_key_request (
  key bytea not null,
  -- 1 Ed25519 signer; 2 auth address (padded to 32 bytes)
  key_type smallint not null,
  app_id uuid not null references app (id),
  request_fid bigint not null,
  -- the custody address of request_fid that signed
  request_signer bytea not null,
  signature bytea not null,
  deadline timestamptz not null,
  redirect_url text,
  sponsor_fid bigint,
  sponsor_signature bytea,
  sponsored_by_service boolean not null,
  -- opens the approval page; the page shows this row and nothing more, so the token is stored as it is
  token text not null unique,
  created_at timestamptz not null,
  primary key (key, key_type, app_id)
);

-- Nonces to sign in with: each is accepted once.
create table login_nonce (
  nonce text primary key,
  app_id uuid not null references app (id),
  expires_at timestamptz not null
);
create index login_nonce_expires on login_nonce (expires_at);

-- Requests to write that carried an idempotency key; kept for a day.
create table idempotent_write (
  app_id uuid not null references app (id),
  -- operationId
  operation text not null,
  -- SHA-256 of the key that the caller chose, however long it is
  idem bytea not null,
  -- SHA-256 of the request's body
  body bytea not null,
  -- the protobuf Message that the request made, stored before it is submitted
  message bytea,
  -- the response, JSON as it was sent; null: whether the message is stored is not known yet
  answer text,
  created_at timestamptz not null,
  primary key (app_id, operation, idem)
);
create index idempotent_write_created on idempotent_write (created_at);
