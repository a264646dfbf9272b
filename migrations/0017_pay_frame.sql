-- Pages that collect one payment each in an ERC-20 token.
create table pay_frame (
  -- random, part of the page's address
  id uuid primary key,
  app_id uuid not null references app (id),
  network text not null,
  -- EIP-155; in development all networks are one chain
  chain_id bigint not null,
  -- 20 bytes each
  recipient bytea not null,
  token bytea not null,
  -- in whole tokens, as the app sent it
  amount text not null,
  -- the same in the smallest unit, with what the contract of the token reported when the page was made
  units numeric(78) not null,
  symbol text not null,
  -- newest block when the page was made: only transfers in later ones count
  created_block bigint not null,
  -- line_items, action and allowlist_fids of the request
  config jsonb not null,
  created_at timestamptz not null,
  -- when the reported transactions were last compared with the chain
  checked_at timestamptz
);
create index pay_frame_app on pay_frame (app_id);

-- Transactions that somebody reported as the payment, until the chain decides.
create table pay_report (
  pay_frame_id uuid not null references pay_frame (id) on delete cascade,
  tx_hash bytea not null,
  reported_at timestamptz not null,
  primary key (pay_frame_id, tx_hash)
);

-- The transfers that paid. Each counts once, and each page has one.
create table pay_transfer (
  chain_id bigint not null,
  tx_hash bytea not null,
  -- position of the Transfer event in its block
  log_index integer not null,
  pay_frame_id uuid not null unique references pay_frame (id) on delete cascade,
  -- 20 bytes: from whom the tokens came
  payer bytea not null,
  block bigint not null,
  counted_at timestamptz not null,
  primary key (chain_id, tx_hash, log_index)
);
