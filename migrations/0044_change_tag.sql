-- Caches are told by tags alone (src/store/tag.ts). Rows of before named accounts and casts otherwise, so whoever reads
-- one forgets everything.
alter table change drop column fids, drop column casts;
alter table change rename column lists to tags;
alter table change rename column touches_all to is_all;
update change set tags = '{}', is_all = true;
