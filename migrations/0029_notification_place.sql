-- The parent URL under which the thread of a cast begins, kept beside what notifies: of a reply, a mention and a quote
-- that of the cast itself, of a group of reactions that of the cast they are to (null: not stored, or under no URL).
-- Notifications of one channel are then read in their order, however many others there are. Kept by ingest.
alter table cast_reply add column root_parent_url text;
alter table cast_mention add column root_parent_url text;
alter table cast_quote add column root_parent_url text;
alter table reaction_group add column root_parent_url text;

update cast_reply r set root_parent_url = c.root_parent_url
  from "cast" c where c.fid = r.fid and c.hash = r.hash and c.root_parent_url is not null;
update cast_mention m set root_parent_url = c.root_parent_url
  from "cast" c where c.fid = m.fid and c.hash = m.hash and c.root_parent_url is not null;
update cast_quote q set root_parent_url = c.root_parent_url
  from "cast" c where c.fid = q.fid and c.hash = q.hash and c.root_parent_url is not null;
update reaction_group g set root_parent_url = c.root_parent_url
  from "cast" c where c.fid = g.target_fid and c.hash = g.target_hash and c.root_parent_url is not null;

-- Account and URL are one key, and reads name them by it alone: as two columns the planner may prefer an index that
-- begins with the account, and pass over all that notifies it elsewhere.
create index cast_reply_place on cast_reply ((parent_fid::text || ' ' || root_parent_url), ts, hash)
  where root_parent_url is not null;
create index cast_mention_place on cast_mention ((mentioned_fid::text || ' ' || root_parent_url), ts, hash)
  where root_parent_url is not null;
create index cast_quote_place on cast_quote ((quoted_fid::text || ' ' || root_parent_url), ts, hash)
  where root_parent_url is not null;
create index reaction_group_place
  on reaction_group ((target_fid::text || ' ' || root_parent_url), latest_ts desc, target_hash, type)
  where root_parent_url is not null;
