-- The casts themselves are found by their hash. Not unique: an index must not refuse what the network carries.
create index cast_hash_key on "cast" (hash);
drop table cast_hash;
