-- Who may call. Small tables that do not grow with the network, so foreign keys are free here.

create table organization (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  created_at timestamptz not null default now()
);

create table app (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organization (id),
  name text not null,
  -- the app's own account, for the operations that sign as the app
  fid bigint,
  created_at timestamptz not null default now()
);
create index app_organization on app (organization_id);

create table api_key (
  id uuid primary key default gen_random_uuid(),
  app_id uuid not null references app (id),
  name text not null,
  -- SHA-256 of the key: keys have 256 bits of entropy, so a slow hash would only cost time
  hash bytea not null unique,
  -- first characters of the key, by which a person recognises it in a list
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
