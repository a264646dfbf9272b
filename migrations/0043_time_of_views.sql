-- The times that castellan_public shows, as it computes them: questions about a day, and exports of one, read no other rows.
create index cast_timestamp on "cast" (to_timestamp(ts + 1609459200::bigint));
create index reaction_timestamp on reaction (to_timestamp(ts + 1609459200::bigint));
create index link_timestamp on link (to_timestamp(ts + 1609459200::bigint));
