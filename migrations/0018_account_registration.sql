-- Accounts and storage that wallets of this service buy onchain.

-- Transactions that call the contracts of accounts, keys and storage. Their events must reach the store, also when the
-- process ends before they are mined, and again when a reorganization of the chain moves them to another block.
create table registry_transaction (
  transaction_id uuid primary key references chain_transaction (id) on delete cascade,
  -- pending: not known to be mined; stored: its events are stored; final: they cannot change any more;
  -- failed: refused or reverted
  state text not null check (state in ('pending', 'stored', 'final', 'failed')),
  -- of the block whose events are stored
  block_hash bytea,
  created_at timestamptz not null
);
create index registry_transaction_open on registry_transaction (created_at) where state in ('pending', 'stored');

-- What an app's transactions for accounts and storage may have cost, by day of UTC.
create table daily_spend (
  -- of the app; of the wallet, for accounts that are registered in advance
  spender_id uuid not null,
  day date not null,
  -- wei: values and gas at the highest fee that was offered
  wei numeric not null,
  primary key (spender_id, day)
);

-- Accounts that a wallet registered to keys of this service, to be transferred to people.
create table reserved_account (
  id uuid primary key,
  wallet_id uuid not null references wallet (id),
  -- the transaction that registers it
  transaction_id uuid not null unique references chain_transaction (id),
  -- null until the transaction is mined
  fid bigint unique,
  -- 20 bytes: address of the key
  custody bytea not null unique,
  -- the 32-byte secp256k1 key under the master key, bound to the id; null once the account belongs to a person
  sealed_key bytea,
  -- registering; free; reserved: for an app until reserved_until; transferring; transferred; failed: not registered
  state text not null
    check (state in ('registering', 'free', 'reserved', 'transferring', 'transferred', 'failed')),
  -- for which it is reserved or was registered; null: for none
  app_id uuid references app (id),
  -- end of the reservation; while registering, of the request that waits for it
  reserved_until timestamptz,
  created_at timestamptz not null
);
create index reserved_account_available on reserved_account (wallet_id, created_at)
  where state in ('registering', 'free', 'reserved');
create index reserved_account_app on reserved_account (app_id) where state in ('registering', 'reserved');

-- Transfers of reserved accounts to people.
create table account_registration (
  fid bigint primary key,
  reserved_account_id uuid not null unique references reserved_account (id),
  app_id uuid not null references app (id),
  -- SHA-256 of the request: another one for the same account is a conflict
  body_digest bytea not null,
  -- 20 bytes: address of the person
  custody bytea not null,
  signer_id uuid not null references managed_signer (id),
  -- the transaction that adds the signer and transfers the account; null before it is sent
  transaction_id uuid unique references chain_transaction (id),
  -- begun: nothing is sent; sent; transferred: the profile is not written yet; done
  state text not null check (state in ('begun', 'sent', 'transferred', 'done')),
  -- metadata of the request, until it is written
  profile jsonb,
  -- when the profile is tried again
  retry_at timestamptz,
  created_at timestamptz not null
);
create index account_registration_open on account_registration (created_at) where state <> 'done';
