-- Readers ask again for the changes of all transactions that were still open at their last look.
create index change_xid on change (xid);
