-- Subscription tokens (STP): which contracts and tokens there are, by the events of the chain. Expiry, tier and price are
-- read from the contracts when somebody asks. The key begins with network and chain id, because in development one
-- chain stands in for every network.

-- How far the events of a factory and its contracts are searched.
create table stp_factory (
  network text not null,
  -- EIP-155
  chain_id bigint not null,
  address bytea not null,
  -- the first block that was not searched yet
  next_block bigint not null,
  -- how many blocks the endpoint accepts in one request
  span bigint not null,
  -- a searched block and its hash; another hash means that the chain was replaced
  anchor_block bigint,
  anchor_hash bytea,
  -- whether the last round found another hash there: a second one must confirm it
  is_doubted boolean not null default false,
  -- when the search last reached the newest block; null: never
  reached_at timestamptz,
  -- when the endpoint rejected even a single block; null: it searches
  refused_at timestamptz,
  primary key (network, chain_id, address)
);

create table stp_contract (
  network text not null,
  chain_id bigint not null,
  address bytea not null,
  factory bytea not null,
  -- of its deployment
  block bigint not null,
  -- of the latest event about its owner, at first of its deployment
  changed_block bigint not null,
  -- when and at which block it was last read; null: never
  read_at timestamptz,
  read_block bigint,
  -- null, as are the other columns: it was not read yet, or is no subscription contract
  owner bytea,
  name text,
  symbol text,
  -- address of its metadata, as it reports it; empty: none
  uri text,
  -- picture in that metadata; null: none is known
  art_url text,
  -- the uri that was last fetched, and when
  art_uri text,
  art_at timestamptz,
  primary key (network, chain_id, address)
);
create index stp_contract_factory on stp_contract (network, chain_id, factory, block);
create index stp_contract_owner on stp_contract (owner);
-- Addresses of metadata that are due.
create index stp_contract_art on stp_contract (art_at nulls first) where uri <> '';

-- Transfers of subscription tokens; the first one of a token mints it.
create table stp_transfer (
  network text not null,
  chain_id bigint not null,
  contract bytea not null,
  -- a uint256
  token_id numeric(78) not null,
  block bigint not null,
  -- position of the event in its block
  log_index integer not null,
  -- zero address: the token was burned
  recipient bytea not null,
  -- time of the block
  at timestamptz not null,
  primary key (network, chain_id, contract, token_id, block, log_index),
  foreign key (network, chain_id, contract) references stp_contract on delete cascade
);
create index stp_transfer_recipient on stp_transfer (recipient);
