-- What hubs answer about channels of the protocol beyond what decides their state. Rows from before lack it: no public
-- network had channels then.

-- the account that pinned pinned_cast_hash
alter table protocol_channel add column pinned_by bigint;
-- the account that hid the cast last, or showed it again
alter table protocol_channel_moderation add column moderated_by bigint;
-- protocol seconds of the message that made the state what it is; since stays when a member becomes a moderator
alter table protocol_channel_slot add column acted_ts integer;
update protocol_channel_slot set acted_ts = extract(epoch from since - timestamptz '2021-01-01T00:00:00Z');

-- What an account is to channels.
create index protocol_channel_slot_of on protocol_channel_slot (fid, channel_id);
