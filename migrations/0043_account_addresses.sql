-- What an account shows of its verified addresses and auth addresses, so that reading an account needs its row alone.
-- Compact JSON, in hex without 0x, oldest first; null: none.
-- verifications: [[protocol, address], ...] of "verification".
-- auth_keys: [[key, fid of the app that asked for it or null], ...] of the active keys of type 2 in "signer_key".
alter table account
  add column verifications text,
  add column auth_keys text;

insert into account (fid, verifications, auth_keys)
select fid, v.list, k.list
  from (select fid,
               '[' || string_agg('[' || protocol || ',"' || encode(address, 'hex') || '"]', ',' order by ts, hash) || ']'
                 as list
          from verification group by fid) v
  full join
       (select fid,
               '[' || string_agg('["' || encode(key, 'hex') || '",' || coalesce(request_fid::text, 'null') || ']', ','
                                 order by decided_at, key) || ']' as list
          from signer_key where key_type = 2 and active group by fid) k using (fid)
on conflict (fid) do update set verifications = excluded.verifications, auth_keys = excluded.auth_keys;
