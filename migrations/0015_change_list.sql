-- What a committed batch touched, for pages of lists that are kept in memory: numbers of src/store/list-source.ts.
alter table change add column lists bigint[] not null default '{}';
