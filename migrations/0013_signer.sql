-- Ed25519 keys made here, with which an app signs for the accounts that approved them. Small tables that grow with the
-- apps, not with the network, so foreign keys are free here. Whether a key is approved says signer_key alone.
create table managed_signer (
  -- the signer_uuid of the interface
  id uuid primary key,
  app_id uuid not null references app (id),
  public_key bytea not null unique,
  -- the 32-byte seed under the master key, bound to the id
  sealed_seed bytea not null,
  permissions text[] not null,
  -- the first account that approved it: anybody may register a public key, but the signer stays with this one
  fid bigint,
  created_at timestamptz not null
);
create index managed_signer_fid on managed_signer (fid, app_id);

-- What an app's account asks accounts for: to take a key. One for each key and app, the latest.
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

-- Nonces to sign in with: each is taken once.
create table login_nonce (
  nonce text primary key,
  app_id uuid not null references app (id),
  expires_at timestamptz not null
);
create index login_nonce_expires on login_nonce (expires_at);

-- Which accounts hold a key.
create index signer_key_key on signer_key (key);
