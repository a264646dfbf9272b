-- How far the event log was sent to the broker of CASTELLAN_EVENT_SINK; no row before the first start with one.
create table event_sink (
  is_only boolean primary key default true check (is_only),
  -- The broker has confirmed all rows before this one, and
  log_id bigint not null,
  -- of its events those up to this one; null: all of them
  part integer
) with (fillfactor = 50);
