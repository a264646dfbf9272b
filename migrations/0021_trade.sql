-- Trades of watched wallets, the verified addresses of accounts with the highest scores: a row for each transaction in
-- which the wallet gave one asset for one other.
create table trade (
  -- grows in the order in which trades were found
  id bigint generated always as identity unique,
  network text not null,
  tx_hash bytea not null,
  -- 20 bytes, as are all addresses here
  wallet bytea not null,
  -- whose verified address the wallet was
  fid bigint not null,
  block bigint not null,
  block_hash bytea not null,
  at timestamptz not null,
  -- contracts; the network's coin and its wrapped form are 0xeeee…eeee
  sold_token bytea not null,
  bought_token bytea not null,
  -- in the smallest unit
  sold numeric not null,
  bought numeric not null,
  sold_decimals smallint not null,
  bought_decimals smallint not null,
  -- worth of either side in US dollars when it was found; null: nobody knew a price
  usd double precision,
  -- null: none or several were used
  pool bytea,
  -- null: its factory is not a known one
  pool_family text,
  pool_version text,
  -- whether it is in the event log, or need not be
  is_announced boolean not null,
  -- its block was replaced by one without it; it may come back in another block
  is_gone boolean not null default false,
  primary key (network, tx_hash, wallet)
);
create index trade_bought on trade (network, bought_token, at desc);
create index trade_sold on trade (network, sold_token, at desc);
create index trade_time on trade (network, at);
create index trade_block on trade (network, block);
create index trade_unannounced on trade (network, id) where not is_announced;

-- How far the trades of a network are searched.
create table trade_search (
  network text primary key,
  -- EIP-155; the search begins anew when another chain takes the network's place
  chain_id bigint not null,
  -- first and last block that were searched, and their times
  low bigint not null,
  low_at timestamptz not null,
  -- another hash means that another chain took its place; null: no past block was searched yet
  low_hash bytea,
  high bigint not null,
  high_at timestamptz not null,
  -- blocks of the next range
  span integer not null,
  -- when the endpoint last refused to search events
  refused_at timestamptz
);
