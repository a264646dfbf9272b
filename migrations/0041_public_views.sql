-- What other programs read with SQL (docs/analytics.md): names and meanings stay, whatever happens to the tables beneath.
-- Hashes, keys and addresses of Ethereum are hex with 0x; times are of the messages. Nothing here belongs to an app or an
-- organization.
-- It stays when somebody empties a database by dropping the schema public.
create schema if not exists castellan_public;

create view castellan_public.profiles as
select fid, username, display_name, bio, pfp_url, url, banner_url, location, latitude, longitude, x_username,
       github_username, '0x' || encode(custody_address, 'hex') as custody_address, registered_at,
       follower_count, following_count, cast_count, score
  from public.account
 where registered_at is not null or first_ts is not null;

create view castellan_public.casts as
select '0x' || encode(c.hash, 'hex') as hash, c.fid, to_timestamp(c.ts + 1609459200::bigint) as "timestamp", c.text,
       c.parent_fid, '0x' || encode(c.parent_hash, 'hex') as parent_hash, c.parent_url,
       c.root_fid, '0x' || encode(c.root_hash, 'hex') as root_hash, c.root_parent_url,
       c.mentions, c.mention_positions, c.embeds,
       coalesce(n.like_count, 0) as like_count, coalesce(n.recast_count, 0) as recast_count,
       coalesce(n.reply_count, 0) as reply_count, coalesce(n.quote_count, 0) as quote_count
  from public."cast" c
  left join public.cast_count n on n.fid = c.fid and n.hash = c.hash;

create view castellan_public.reactions as
select '0x' || encode(hash, 'hex') as hash, fid, to_timestamp(ts + 1609459200::bigint) as "timestamp",
       case type when 1 then 'like' when 2 then 'recast' else 'other' end as type,
       nullif(target_fid, 0) as target_fid,
       case when target_fid <> 0 then '0x' || encode(target_hash, 'hex') end as target_hash
  from public.reaction;

create view castellan_public.links as
select '0x' || encode(hash, 'hex') as hash, fid, to_timestamp(ts + 1609459200::bigint) as "timestamp",
       case type when 1 then 'follow' when 2 then 'block' else 'other' end as type, target_fid
  from public.link;

create view castellan_public.verifications as
select '0x' || encode(hash, 'hex') as hash, fid, to_timestamp(ts + 1609459200::bigint) as "timestamp",
       case protocol when 0 then 'ethereum' else 'solana' end as protocol,
       '0x' || encode(address, 'hex') as address
  from public.verification;

create view castellan_public.channels as
select id, parent_url, name, description, image_url, lead_fid, follower_count, member_count, created_at
  from public.channel
 where gone_at is null;
