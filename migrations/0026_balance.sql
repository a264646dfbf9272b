-- What the balances of wallets need between requests. Small: it grows with the wallets that are asked for, and jobs
-- forget what nobody asks for any more.

-- What a token's contract says of itself, for tokens that are in no list.
create table chain_token (
  -- EIP-155
  chain_id bigint not null,
  address bytea not null,
  -- null, as are the others: at read_at it was no ERC-20 token
  decimals smallint,
  name text,
  symbol text,
  read_at timestamptz not null,
  primary key (chain_id, address)
);

-- Tokens that a wallet once received, by the Transfer events of the chain.
create table wallet_token (
  chain_id bigint not null,
  wallet bytea not null,
  token bytea not null,
  -- block of the newest transfer to the wallet that was seen
  block bigint not null,
  primary key (chain_id, wallet, token)
);

-- How far the Transfer events of a wallet are searched.
create table transfer_search (
  chain_id bigint not null,
  wallet bytea not null,
  -- when its balances were last asked for
  asked_at timestamptz not null,
  -- when the search last reached the newest block; null: never
  reached_at timestamptz,
  -- first and last block that are searched; null before the first turn
  low bigint,
  high bigint,
  -- requests that may still be spent on older blocks
  budget integer not null,
  primary key (chain_id, wallet)
);
create index transfer_search_asked on transfer_search (asked_at);

-- What the endpoint of a chain lets a search do.
create table transfer_endpoint (
  chain_id bigint primary key,
  -- how many blocks it took at once
  span bigint not null,
  -- when it refused even a single block; null: it searches
  refused_at timestamptz,
  -- what it said then
  refusal text
);

-- Ordered lists of balances: prices move, so the pages after the first are cut from what the first one saw.
create table balance_list (
  id uuid primary key,
  -- JSON: the items as they are sent
  items text not null,
  -- networks that did not answer
  partial text[] not null,
  created_at timestamptz not null
);
create index balance_list_created on balance_list (created_at);
