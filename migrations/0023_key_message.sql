-- The nonces of all messages that ever registered or removed a key, also of those that later ones replaced: a signature
-- of the custody address counts once.
create table key_nonce (
  fid bigint not null,
  -- the account of the app. Of a registration: which asked for the key; of a key that removed itself: which asked for its
  -- latest registration before; null: none, or the custody address removed the key
  request_fid bigint,
  nonce bigint not null,
  ts integer not null,
  -- 16 the key was registered, 17 removed
  type smallint not null,
  -- signed by the custody address; otherwise the key removed itself
  by_custody boolean not null,
  key bytea not null,
  hash bytea not null,
  primary key (fid, key, hash)
);
create index key_nonce_app on key_nonce (request_fid, nonce) where not by_custody;

-- What a key may sign that a message registered, and until when; null for keys registered onchain, which sign everything.
alter table signer_key
  -- types of messages
  add column scopes integer[],
  -- seconds for which the key may stay unused
  add column ttl integer,
  -- protocol seconds of the latest message that it signed
  add column last_used_ts integer;
