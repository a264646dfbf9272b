-- What casts mean, by an embedding model: for the search with mode=semantic and mode=hybrid. Empty without such a model.
create table cast_embedding (
  fid bigint not null,
  hash bytea not null,
  -- Vectors of different models cannot be compared.
  model text not null,
  -- One signed byte for each dimension; empty for a text that the model refused.
  vector bytea not null,
  primary key (fid, hash)
);
alter table cast_embedding alter column vector set storage external;
