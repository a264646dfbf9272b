-- Wallets whose keys are kept here, and what they sent. Small tables that grow with the organizations' own doing, not
-- with the network, so foreign keys are free here.
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

-- The next nonce of a wallet on a chain. Its row is locked while nonces are handed out. By chain and not by network:
-- in development one chain stands in for all networks.
create table wallet_nonce (
  wallet_id uuid not null references wallet (id),
  chain_id bigint not null,
  next_nonce bigint not null,
  primary key (wallet_id, chain_id)
);

-- What wallets sent: a row is here before the first byte leaves.
create table chain_transaction (
  id uuid primary key,
  wallet_id uuid not null references wallet (id),
  network text not null,
  chain_id bigint not null,
  nonce bigint not null,
  -- what it is for: deploy, mint; fill for one that does nothing but take a nonce that others wait behind
  purpose text not null,
  -- 20 bytes; null makes a contract
  recipient bytea,
  data bytea not null,
  -- wei
  value numeric not null,
  gas bigint not null,
  -- open: on its way, or about to be; mined: in a block, whatever came of it; refused: it never was on its way
  state text not null check (state in ('open', 'mined', 'refused')),
  -- whether the network took one of its attempts
  sent boolean not null default false,
  -- of the attempt that was mined
  hash bytea,
  -- whether the contract did what it was asked for; null while that is not known
  succeeded boolean,
  block bigint,
  -- why it was refused, or why it was not taken the last time
  failure_code text,
  failure text,
  created_at timestamptz not null,
  -- when it was mined or refused
  ended_at timestamptz
);
-- No two transactions share a nonce, but for those that never were on their way.
create unique index chain_transaction_nonce on chain_transaction (wallet_id, chain_id, nonce) where state <> 'refused';
create index chain_transaction_open on chain_transaction (wallet_id, chain_id, nonce) where state = 'open';

-- Each transaction as it was signed: again for each new price, and for a new nonce when another program took the first.
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
