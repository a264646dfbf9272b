-- A name has one proof, the latest, whichever account it is for, as on hubs. Of two messages the later one stays.
delete from message m using message o
 where m.message_set = 7 and o.message_set = 7 and o.key = m.key and (o.ts, o.hash) > (m.ts, m.hash);
delete from username_proof p
 where p.message_hash is not null and not exists (
   select from message m where m.fid = p.fid and m.message_set = 7 and m.hash = p.message_hash);
delete from username_proof p using username_proof o
 where o.name = p.name
   and (o."timestamp", o.signature, o.message_hash is not null, o.fid)
       > (p."timestamp", p.signature, p.message_hash is not null, p.fid);
alter table username_proof drop constraint username_proof_pkey, add primary key (name);
create index username_proof_message on username_proof (message_hash) where message_hash is not null;
-- Proofs that came without a message may be later than those of messages.
delete from message m
 where m.message_set = 7 and not exists (select from username_proof p where p.message_hash = m.hash);
create index message_username_proof on message (key) where message_set = 7;
update account a set username = w.username
  from (select c.fid, case when p.fid is null or p.fid = c.fid then c.claimed_username end as username
          from account c left join username_proof p on p.name = c.claimed_username
         where c.claimed_username is not null) w
 where a.fid = w.fid and a.username is distinct from w.username;
