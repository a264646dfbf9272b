-- What lists of casts are found by.

-- Accounts that an account follows, without a look at the messages themselves: the following feed begins with them.
create index message_follow on message (fid, target_fid) where type = 5 and subtype = 1 and not void;
-- Feeds of many accounts read all casts and recasts of a stretch of time: cheaper than to ask each account.
create index cast_time on "cast" (ts desc, hash desc) include (fid);
create index message_recast on message (ts desc, hash desc) include (fid, target_fid, target_hash)
  where type = 3 and subtype = 2;
-- Casts of a channel, replies in its threads included.
create index cast_place on "cast" (root_parent_url, ts desc, hash desc) where root_parent_url is not null;

-- What the URLs that a cast embeds are found by: each of them up to its host and up to each of the first slashes of
-- its path ("https://a.example/", "https://a.example/b/"), and its file extension in lower case ("ext:png").
create function embed_terms(embeds jsonb) returns text[] language sql immutable as $$
  select array_agg(distinct term)
    from jsonb_array_elements(embeds) e
    cross join lateral (select split_part(split_part(e ->> 'url', '#', 1), '?', 1) as address) a
    cross join lateral (select string_to_array(address, '/') as parts) p
    cross join lateral (
      select array_to_string(parts[1:depth], '/') || '/' as term
        from generate_series(3, greatest(3, least(cardinality(parts) - 1, 8))) depth
      union all
      select 'ext:' || lower(substring(address from '\.([A-Za-z0-9]{1,5})$')) where cardinality(parts) > 3
    ) t
   where term is not null and cardinality(parts) >= 3
$$;
create index cast_embed on "cast" using gin (embed_terms(embeds)) where embeds <> '[]';
