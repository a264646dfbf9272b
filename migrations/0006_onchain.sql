-- Wallets of organizations, whose keys are stored here.
create table wallet (
  -- the x-wallet-id of the interface
  id uuid primary key,
  organization_id uuid not null references organization (id),
  name text not null,
  -- 20 bytes; one account has one order of transactions, so it is here once
  address bytea not null unique,
  -- the 32-byte secp256k1 key under the master key, bound to the id
  sealed_key bytea not null,
  created_at timestamptz not null
);

-- The next nonce of a wallet on a chain. Its row is locked while nonces are assigned. By chain and not by network:
-- in development all networks are one chain.
create table wallet_nonce (
  wallet_id uuid not null references wallet (id),
  chain_id bigint not null,
  next_nonce bigint not null,
  primary key (wallet_id, chain_id)
);

-- Transactions of wallets; a row is committed before its transaction is broadcast.
create table chain_transaction (
  id uuid primary key,
  wallet_id uuid not null references wallet (id),
  network text not null,
  chain_id bigint not null,
  nonce bigint not null,
  -- deploy, mint, register, transfer, rent, or fill: an empty transfer that uses a nonce on which later transactions depend
  purpose text not null,
  -- 20 bytes; null makes a contract
  recipient bytea,
  data bytea not null,
  -- wei
  value numeric not null,
  gas bigint not null,
  -- open: broadcast, or about to be; mined: in a block, successful or not; refused: never broadcast
  state text not null check (state in ('open', 'mined', 'refused')),
  -- whether a node accepted one of its attempts
  sent boolean not null default false,
  -- hash of the attempt that was mined
  hash bytea,
  -- whether the call succeeded; null while that is not known
  succeeded boolean,
  block bigint,
  -- why it was refused, or why nodes rejected it the last time
  failure_code text,
  failure text,
  created_at timestamptz not null,
  -- when it was mined or refused
  ended_at timestamptz
);
-- No two transactions share a nonce, except those that were never broadcast.
create unique index chain_transaction_nonce on chain_transaction (wallet_id, chain_id, nonce) where state <> 'refused';
create index chain_transaction_open on chain_transaction (wallet_id, chain_id, nonce) where state = 'open';

-- Each transaction as it was signed: again for each new fee, and for a new nonce when another program used the first.
create table chain_attempt (
  hash bytea primary key,
  transaction_id uuid not null references chain_transaction (id) on delete cascade,
  nonce bigint not null,
  -- as it is sent
  raw bytea not null,
  -- wei for each unit of gas; where the chain has no base fee, both are its gas price
  max_fee numeric not null,
  priority_fee numeric not null,
  created_at timestamptz not null
);
create index chain_attempt_transaction on chain_attempt (transaction_id, created_at);

-- Collections that wallets of this service deployed, and contracts that one of them owns and gave metadata for.
create table collection (
  -- part of the URLs of its tokens' metadata, which the contract contains before it has an address
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

-- Recipients of a mint, stored with its transaction: a repeated request responds with the same ones.
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

-- Data for the balances of wallets: jobs delete rows that were not requested for long.

-- Name and decimals that a token's contract reports, for tokens that are in no list.
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

-- Tokens that a wallet received, by the Transfer events of the chain.
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
  -- when its balances were last requested
  asked_at timestamptz not null,
  -- when the search last reached the newest block; null: never
  reached_at timestamptz,
  -- first and last block that have been searched; null before the first turn
  low bigint,
  high bigint,
  -- requests that may still be spent on older blocks
  budget integer not null,
  -- since when it waits for its turn: its request, or its last turn. Turns of one chain are taken in this order
  waits_since timestamptz not null default now(),
  primary key (chain_id, wallet)
);
create index transfer_search_asked on transfer_search (asked_at);
-- Searches that are due on a chain, in order of their turns.
create index transfer_search_due on transfer_search (chain_id, waits_since, wallet)
  where reached_at is null or reached_at < asked_at;

-- Limits of a chain's endpoint for searches.
create table transfer_endpoint (
  chain_id bigint primary key,
  -- how many blocks it accepts in one request
  span bigint not null,
  -- when it rejected even a single block; null: it searches
  refused_at timestamptz,
  -- its error then
  refusal text,
  -- how many turns in a row it was unavailable, and until when it is not called because of that
  away_turns integer not null default 0,
  away_until timestamptz
);

-- Ordered lists of balances: prices move, so the pages after the first are cut from what the first one saw.
create table balance_list (
  id uuid primary key,
  -- JSON: the items as they are sent
  items text not null,
  -- networks that did not respond
  partial text[] not null,
  created_at timestamptz not null
);
create index balance_list_created on balance_list (created_at);
