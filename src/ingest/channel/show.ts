import type { Session } from '../../db/statement.js';
import { channelUrl } from '../../protocol/channel/identity.js';
import { CastingMode } from '../../protocol/channel/type.js';
import { urlDigest } from '../../protocol/url-digest.js';
import { deleteMember, upsertMember } from '../../store/channel/member.js';
import {
  insertFollowsOfLikes,
  type ProtocolChannelRow,
  selectChannelInTheWay,
} from '../../store/channel/protocol-channel.js';
import { type SlotRow, selectCurrentSlots } from '../../store/channel/protocol-slot.js';
import { deleteRestriction, insertRestriction } from '../../store/channel/restriction.js';
import { pagesOf } from '../../store/channel/spelling.js';
import { type ChannelDescription, describeChannel, replaceMembers, upsertChannels } from '../../store/channel/write.js';
import { CHANNEL_LIST, channelOf, channelsOfAccount, channelUrlOf } from '../../store/tag.js';
import type { BatchChanges } from '../batch-changes.js';
import type { SlotChange, TrackedChannel } from './tracked-channel.js';

/** Longest texts that are shown, in characters. */
const MAX_NAME = 256;
const MAX_DESCRIPTION = 10_000;
const MAX_URL = 2_048;

/** Keys that can be the id of a channel in paths and searches. */
const SHOWABLE_KEY = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** Cuts between characters, so that no half of one remains. */
const cut = (text: string, length: number): string => Array.from(text).slice(0, length).join('');

const described = (row: ProtocolChannelRow, parentUrl: string): ChannelDescription =>
  describeChannel({
    id: row.key,
    parentUrl,
    name: cut(row.name ?? row.label ?? row.key, MAX_NAME),
    description: row.description === null ? null : cut(row.description, MAX_DESCRIPTION),
    imageUrl: row.imageUrl === null ? null : cut(row.imageUrl, MAX_URL),
    leadFid: row.ownerFid,
    pinnedCastHash: row.pinnedCastHash as Buffer | null,
    publicCasting: row.describedAt === null ? null : row.castingMode !== CastingMode.membersOnly,
    source: 'protocol',
    createdAt: row.registeredAt,
    updatedAt: row.describedAt ?? row.registeredAt,
  });

const roleOf = (state: string | undefined): 'member' | 'moderator' | undefined =>
  state === 'member' || state === 'moderator' ? state : undefined;

/**
 * Writes all members and banned accounts of a channel. The owner is left out: a verified address makes it the owner, so
 * its slot (member or banned) does not count.
 */
const replaceSlots = async (session: Session, row: ProtocolChannelRow, changes: BatchChanges): Promise<void> => {
  const { key, ownerFid: owner } = row;
  const slots = (await selectCurrentSlots(session, row.id)).filter(({ fid }) => fid !== owner);
  const members = slots.flatMap(({ fid, state, since }) => {
    const role = roleOf(state);
    return role === undefined ? [] : [{ channelId: key, fid, role, since }];
  });
  await replaceMembers(session, [key], members);
  for (const { fid, state, since } of slots)
    if (state === 'banned') await insertRestriction(session, key, fid, 'banned', since);
  if (owner !== null) await deleteRestriction(session, key, owner);
  for (const { fid } of slots) changes.invalidate(channelsOfAccount(fid));
};

const writeMembership = async (session: Session, key: string, before: string | undefined, after: SlotRow) => {
  const { fid, since } = after;
  const [former, role] = [roleOf(before), roleOf(after.state)];
  if (role !== undefined) await upsertMember(session, { channelId: key, fid, role, since });
  else if (former !== undefined) await deleteMember(session, key, fid, former);
  if (after.state === 'banned') await insertRestriction(session, key, fid, 'banned', since);
  else if (before === 'banned') await deleteRestriction(session, key, fid);
};

const updateSlots = async (
  session: Session,
  { key, ownerFid: owner }: ProtocolChannelRow,
  slots: readonly SlotChange[],
  changes: BatchChanges,
): Promise<void> => {
  for (const { before, after } of slots) {
    if (after.fid === owner) continue;
    await writeMembership(session, key, before, after);
    changes.invalidate(channelsOfAccount(after.fid));
  }
};

/** Adds a channel to the list of all channels, with everything that is known of it. @returns false if it cannot be */
const addChannel = async (
  session: Session,
  row: ProtocolChannelRow,
  url: string,
  changes: BatchChanges,
): Promise<boolean> => {
  if (!SHOWABLE_KEY.test(row.key)) return false;
  if ((await selectChannelInTheWay(session, row.key, url)) !== undefined) return false;
  await upsertChannels(session, [described(row, url)]);
  await replaceSlots(session, row, changes);
  const followers = await insertFollowsOfLikes(session, row.key, urlDigest(url));
  changes.invalidate(...followers.map(channelsOfAccount), channelOf(row.key));
  changes.invalidate(...[url, ...pagesOf(row.key)].map(channelUrlOf));
  return true;
};

/**
 * Shows a channel of the protocol among those of other sources: its row, members, bans and follows. A channel whose id
 * or URL is taken is not shown. Sets `shown_url` of the tracked row.
 * @param registrar undefined: nobody knows which URLs mean the protocol's channels, so none is shown
 */
export const showChannel = async (
  session: Session,
  channel: TrackedChannel,
  registrar: string | undefined,
  changes: BatchChanges,
): Promise<void> => {
  if (registrar === undefined) return;
  const { row, formerOwner } = channel;
  const url = channelUrl(registrar, row.id);
  const isShown = row.shownUrl === url;
  if (isShown) {
    await upsertChannels(session, [described(row, url)]);
    if (formerOwner === row.ownerFid) await updateSlots(session, row, channel.slotChanges(), changes);
    else await replaceSlots(session, row, changes);
  } else {
    if (!(await addChannel(session, row, url, changes))) return;
    row.shownUrl = url;
  }
  for (const fid of [formerOwner, row.ownerFid]) if (fid !== null) changes.invalidate(channelsOfAccount(fid));
  changes.invalidate(channelOf(row.key), CHANNEL_LIST);
};
