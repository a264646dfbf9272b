-- Counters change far more often than what is indexed. With room on its page a changed row stays where the indexes
-- point; without, every index of the table gets another entry, the one over name trigrams among them.
alter table account set (fillfactor = 50);
alter table cast_count set (fillfactor = 70);
