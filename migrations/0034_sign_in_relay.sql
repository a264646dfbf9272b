-- Requests of apps that somebody signs in, which wait for the person's wallet (Sign In With Farcaster, FIP-11). A request is
-- deleted when its app has read the sign-in.
create table sign_in_request (
  -- SHA-256 of the token: who has the token can read the sign-in.
  token_hash bytea primary key,
  -- What the app asked for, as JSON with the names of the relay.
  parameters text not null,
  nonce text not null,
  accepts_auth_address boolean not null,
  -- Who asked, for the person who decides: address, program and page of the request.
  client_ip text not null,
  user_agent text not null,
  origin text,
  expires_at timestamptz not null,
  -- The sign-in; null: nobody has signed yet.
  message text,
  signature text,
  fid bigint,
  is_custody boolean
);
create index sign_in_request_expiry on sign_in_request (expires_at);

-- Nonces of Quick Auth that no message has used.
create table quick_auth_nonce (
  nonce text primary key,
  expires_at timestamptz not null
);
create index quick_auth_nonce_expiry on quick_auth_nonce (expires_at);
