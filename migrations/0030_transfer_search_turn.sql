-- Searches of one chain have their turns in the order in which they got in line, whatever other chains have to do: who
-- asks for many new wallets takes no turn from those that are partly searched.

-- Since when it waits for its turn: since it was asked for, or since its last turn.
alter table transfer_search add column waits_since timestamptz not null default now();
update transfer_search set waits_since = asked_at;
-- What there is to do on a chain, in its order.
create index transfer_search_due on transfer_search (chain_id, waits_since, wallet)
  where reached_at is null or reached_at < asked_at;

-- How many turns in a row its endpoint was away, and until when it is left alone for that.
alter table transfer_endpoint add column away_turns integer not null default 0;
alter table transfer_endpoint add column away_until timestamptz;
