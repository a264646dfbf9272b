-- Reactions that are neither a like (1) nor a recast (2) stay in "message" alone. Older versions wrote them to "reaction"
-- too and counted them as recasts.
update cast_count c
   set recast_count = (select count(*) from reaction r
                        where r.target_fid = c.fid and r.target_hash = c.hash and r.type = 2)
 where (c.fid, c.hash) in (select target_fid, target_hash from reaction where type not in (1, 2));

delete from reaction_group where type not in (1, 2);
delete from reaction where type not in (1, 2);
