-- Whom a reply, a mention or a quote notifies: the account it names, unless that wrote the cast itself, or the cast
-- refers to the account in a stronger way too (a reply before a quote before a mention), which then notifies.
-- null: nobody. Lists of notifications read by it, so that they pass over nothing: an account may be mentioned in
-- every answer it gets. Kept by ingest.
alter table cast_reply add column notified_fid bigint;
alter table cast_mention add column notified_fid bigint;
alter table cast_quote add column notified_fid bigint;

update cast_reply set notified_fid = parent_fid where parent_fid <> 0 and parent_fid <> fid;
update cast_quote q set notified_fid = q.quoted_fid
  from "cast" c where c.fid = q.fid and c.hash = q.hash and q.quoted_fid <> q.fid and c.parent_fid is distinct from q.quoted_fid;
update cast_mention m set notified_fid = m.mentioned_fid
  from "cast" c where c.fid = m.fid and c.hash = m.hash and m.mentioned_fid <> m.fid and c.parent_fid is distinct from m.mentioned_fid
    and not exists (select from cast_quote q where q.quoted_fid = m.mentioned_fid and q.ts = m.ts and q.hash = m.hash);

drop index cast_reply_to;
drop index cast_quote_of;
drop index cast_reply_place;
drop index cast_mention_place;
drop index cast_quote_place;
create index cast_reply_notified on cast_reply (notified_fid, ts, hash) where notified_fid is not null;
create index cast_mention_notified on cast_mention (notified_fid, ts, hash) where notified_fid is not null;
create index cast_quote_notified on cast_quote (notified_fid, ts, hash) where notified_fid is not null;
create index cast_reply_place on cast_reply ((notified_fid::text || ' ' || root_parent_url), ts, hash)
  where root_parent_url is not null and notified_fid is not null;
create index cast_mention_place on cast_mention ((notified_fid::text || ' ' || root_parent_url), ts, hash)
  where root_parent_url is not null and notified_fid is not null;
create index cast_quote_place on cast_quote ((notified_fid::text || ' ' || root_parent_url), ts, hash)
  where root_parent_url is not null and notified_fid is not null;
