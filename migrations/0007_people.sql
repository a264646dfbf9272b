-- Names wait in a list before they enter the index, and every search reads that list whole: keep it short (kB).
-- Long, it makes a search read the whole table instead, which compares each name at a hundred times the cost expected.
alter index account_name_search set (gin_pending_list_limit = 64);
