-- Payments that a wallet authorized by signature (EIP-3009). The signature itself is not stored: it is made again from
-- the row, and whoever holds it can collect the payment until it expires.
create table x402_authorization (
  id uuid primary key,
  app_id uuid not null references app (id),
  -- the API key that asked for it
  api_key_id uuid not null references api_key (id),
  wallet_id uuid not null references wallet (id),
  network text not null,
  -- 20 bytes: the contract of the token
  asset bytea not null,
  -- of the token's EIP-712 domain
  domain_name text not null,
  domain_version text not null,
  -- 20 bytes: who may be paid
  recipient bytea not null,
  -- in the smallest unit
  value numeric(78) not null,
  -- Unix seconds: the token accepts it after the first and before the second
  valid_after bigint not null,
  valid_before bigint not null,
  -- 32 random bytes
  nonce bytea not null,
  -- what is paid for, as the request called it
  resource text not null,
  -- position in the list of the request that it was chosen from
  requirement integer not null,
  created_at timestamptz not null
);
-- For the sums of a day, which are read while the wallet is locked.
create index x402_authorization_wallet on x402_authorization (wallet_id, network, asset, created_at)
  include (value, valid_before, nonce);
create index x402_authorization_created on x402_authorization (created_at);

-- Sign-in messages that a wallet signed, for the operator.
create table x402_sign_in (
  id uuid primary key,
  app_id uuid not null references app (id),
  api_key_id uuid not null references api_key (id),
  wallet_id uuid not null references wallet (id),
  -- EIP-155
  chain_id bigint not null,
  resource text not null,
  nonce text not null,
  created_at timestamptz not null
);
create index x402_sign_in_created on x402_sign_in (created_at);
