import type { Reader } from '../../db/statement.js';
import type { SlotState } from '../../protocol/channel/authority.js';
import { readQuery } from '../query-function.js';
import type { ChannelPage } from './channel.js';

/** @returns what an account is to a channel, and since which message (protocol seconds); undefined: it never was anything */
export const selectChannelSlot = readQuery(
  'hub_channel_slot',
  'select state, acted_ts as "actedTs" from protocol_channel_slot where channel_id = :channelId and fid = :fid',
).first((channelId: Uint8Array, fid: number) => ({ channelId, fid }));

const slots = (past: '>' | '<', order: 'asc' | 'desc'): string =>
  `select fid, state from protocol_channel_slot
    where channel_id = :channelId and (:state?::text is null or state = :state?) and fid ${past} :after
    order by fid ${order} limit :limit`;
const slotsForward = readQuery('hub_channel_slot_page', slots('>', 'asc')).rows();
const slotsBackward = readQuery('hub_channel_slot_page_reverse', slots('<', 'desc')).rows();

/**
 * @param state undefined: any
 * @returns accounts with a state in a channel, by fid. A channel has at most 8,192.
 */
export const selectChannelSlots = (
  session: Reader,
  channelId: Uint8Array,
  state: SlotState | undefined,
  { after, reverse, limit }: ChannelPage<number>,
) => {
  const place = { channelId, state: state ?? null, limit };
  return reverse
    ? slotsBackward(session, { ...place, after: after ?? Number.MAX_SAFE_INTEGER })
    : slotsForward(session, { ...place, after: after ?? 0 });
};

/** Ids have 32 bytes, hashes 20. */
const ABOVE_ALL = new Uint8Array(33).fill(0xff);
const BELOW_ALL = new Uint8Array(0);

const bytesPlace = ({ after, reverse, limit }: ChannelPage<Uint8Array>) => ({
  limit,
  after: after ?? (reverse ? ABOVE_ALL : BELOW_ALL),
});

const memberships = (past: '>' | '<', order: 'asc' | 'desc'): string =>
  `select channel_id as "channelId", state from protocol_channel_slot
    where fid = :fid and channel_id ${past} :after order by channel_id ${order} limit :limit`;
const membershipsForward = readQuery('hub_channel_membership', memberships('>', 'asc')).rows();
const membershipsBackward = readQuery('hub_channel_membership_reverse', memberships('<', 'desc')).rows();

/** @returns what an account is to channels, by their ids */
export const selectChannelMemberships = (session: Reader, fid: number, page: ChannelPage<Uint8Array>) =>
  (page.reverse ? membershipsBackward : membershipsForward)(session, { fid, ...bytesPlace(page) });

const moderations = (past: '>' | '<', order: 'asc' | 'desc'): string =>
  `select cast_hash as "castHash", hidden, moderated_by as "moderatedBy" from protocol_channel_moderation
    where channel_id = :channelId and cast_hash ${past} :after order by cast_hash ${order} limit :limit`;
const moderationsForward = readQuery('hub_channel_moderation', moderations('>', 'asc')).rows();
const moderationsBackward = readQuery('hub_channel_moderation_reverse', moderations('<', 'desc')).rows();

/** @returns the casts that a channel hid, or shows again, by their hashes */
export const selectChannelModerations = (session: Reader, channelId: Uint8Array, page: ChannelPage<Uint8Array>) =>
  (page.reverse ? moderationsBackward : moderationsForward)(session, { channelId, ...bytesPlace(page) });
