-- Batches with casts of history, which the log has no events of, and how many of these batches were searched for addresses.
alter table crawl_cursor add column history bigint not null default 0;
alter table crawl_cursor add column history_read bigint not null default 0;
-- What was stored before is read once more.
update crawl_cursor set history = 1;
