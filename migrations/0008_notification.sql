-- Notifications ask for the newest answers to, and quotes of, any cast of an account.
-- URLs stand as parent_fid 0 and belong to nobody.
create index cast_reply_to on cast_reply (parent_fid, ts, hash) where parent_fid <> 0;
create index cast_quote_of on cast_quote (quoted_fid, ts, hash);
