-- Casts about a token have its id as their parent URL, in any case (FIP-2). They are counted through this index.
create index cast_about_token on "cast" (lower(parent_url), fid)
  where parent_url like 'eip155:%' or parent_url like 'chain://eip155:%';

-- Accounts with the highest scores.
create index account_score on account (score desc, fid);

-- Tokens that this service deployed, stored with the transaction: a repeated request responds with the same media.
create table token_deployment (
  transaction_id uuid primary key references chain_transaction (id),
  app_id uuid not null references app (id),
  -- of the operator, whose wallet paid; otherwise a wallet of the app's organization did
  is_operators boolean not null,
  -- 20 bytes: who was given the whole supply
  owner bytea not null,
  -- address of the picture; null: there is none
  media_url text,
  created_at timestamptz not null
);
create index token_deployment_app on token_deployment (app_id, created_at) where is_operators;
