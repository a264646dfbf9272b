-- Where removed casts were, so that the casts below them stay in their thread and its channel. Ingest writes a row for each
-- valid cast that has a parent and is not stored, because it was removed, pruned or revoked, or arrived after its removal.
-- Nothing else of it stays.
create table removed_cast (
  fid bigint not null,
  parent_fid bigint,
  -- as in "cast"
  root_fid bigint not null,
  hash bytea not null,
  parent_hash bytea,
  root_hash bytea not null,
  parent_url text,
  root_parent_url text,
  primary key (fid, hash)
);
create index removed_cast_root on removed_cast (root_fid, root_hash);
