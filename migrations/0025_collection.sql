-- Collections that wallets of this service deployed, and contracts that one of them owns and gave metadata for. They grow
-- with what organizations do, not with the network, so foreign keys are free here.
create table collection (
  -- part of the addresses of its tokens' metadata, which stand in the contract before the contract has an address
  id uuid primary key,
  network text not null,
  -- 20 bytes; null until the transaction is mined, because only its nonce decides
  address bytea,
  -- of the wallet that deployed it, or that gave metadata for it
  organization_id uuid not null references organization (id),
  wallet_id uuid not null references wallet (id),
  -- made the contract; null: it was deployed elsewhere
  transaction_id uuid unique references chain_transaction (id),
  -- the body of the request that deployed it
  config jsonb not null,
  created_at timestamptz not null
);
create unique index collection_address on collection (network, address) where address is not null;
create index collection_pending on collection (network) where address is null;

-- What a mint was for, kept with its transaction: a request that comes again answers the same recipients.
create table mint (
  transaction_id uuid primary key references chain_transaction (id),
  -- 20 bytes each
  contract bytea not null,
  recipient bytea not null,
  -- the account that was named; null: an address was
  fid bigint,
  quantity bigint not null
);

create table token_metadata (
  collection_id uuid not null references collection (id),
  -- a uint256
  token_id numeric(78) not null,
  -- as it was uploaded
  metadata jsonb not null,
  updated_at timestamptz not null,
  primary key (collection_id, token_id)
);
