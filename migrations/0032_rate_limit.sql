-- Requests in the running minute, counted by all processes together: the table of rate-limiter-flexible
-- (docs/decisions/0027). Not logged: a crash of the server forgives what was counted, and no commit waits for the disk.
create unlogged table rate_limit (
  -- of a key or an address, and an operation
  key text primary key,
  points bigint not null,
  -- Unix milliseconds; the count begins anew after it
  expire bigint not null
) with (fillfactor = 50);
