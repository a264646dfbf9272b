-- What a browser sends instead of an API key after a sign-in to the console. It may do what its key may.
create table console_session (
  -- SHA-256 of the cookie
  hash bytea primary key,
  api_key_id uuid not null references api_key (id),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index console_session_expires on console_session (expires_at);

-- What begins a session once: the link that `castellan dev` prints.
create table console_link (
  -- SHA-256 of the token
  hash bytea primary key,
  api_key_id uuid not null references api_key (id),
  expires_at timestamptz not null
);
create index console_link_expires on console_link (expires_at);
