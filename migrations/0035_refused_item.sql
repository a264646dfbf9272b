-- Items of hubs and files that could not be stored although the database took other writes: kept as they came, so that
-- they can be tried again once the cause is gone (`castellan refused`). Written in the transaction that moves the
-- position of the stream past them.
create table refused_item (
  id bigint generated always as identity primary key,
  -- 'message', 'removal', 'onchain' or 'proof'
  kind text not null,
  -- protobuf bytes: Message (also of a removal), OnChainEvent, UserNameProof
  body bytea not null,
  -- SHA-256 of body: the same item again is the same row
  digest bytea not null,
  -- of a removal: 'prune', 'revoke' or 'replaced'
  removal_reason text,
  fid bigint not null,
  -- how it came: 'hub', 'backfill', 'file' ...
  source text not null,
  -- with which options it was submitted
  announce boolean not null,
  trust_signers boolean not null,
  -- what PostgreSQL said of it last; null: the program refused it
  sqlstate text,
  failure text not null,
  -- how often it was refused
  attempts integer not null default 1,
  first_refused_at timestamptz not null default now(),
  last_refused_at timestamptz not null default now(),
  unique (kind, digest)
);
create index refused_item_fid on refused_item (fid);
