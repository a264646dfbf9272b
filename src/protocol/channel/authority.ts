import { bareHex } from '../../hex.js';
import type { ChannelMessage, ChannelMetadata } from './decode.js';
import { MemberAction, MembershipMode } from './type.js';

/** What an account is to a channel, besides its owner. Slots stay: who left or was unbanned is `removed`. */
export type SlotState = 'member' | 'moderator' | 'banned' | 'removed';

/** Moderators at one time. */
export const MAX_MODERATORS = 10;
/** Accounts that ever had a slot. */
export const MAX_SLOTS = 8_192;
/** Casts that were ever hidden or shown. */
export const MAX_MODERATIONS = 16_384;

/**
 * A channel, as far as messages change it. The maps may lack entries that no message concerns; the counts are of all.
 */
export interface ChannelState {
  /** undefined: nobody verified the owner's address, and the channel is parked. */
  owner: number | undefined;
  /** undefined: before the first update. */
  metadata: ChannelMetadata | undefined;
  pin: Uint8Array | undefined;
  readonly slots: Map<number, SlotState>;
  slotCount: number;
  moderatorCount: number;
  /** Whether a cast is hidden, by the hex of its hash. */
  readonly moderations: Map<string, boolean>;
  moderationCount: number;
}

/** The state of a channel before its first message. */
export const emptyChannel = (): ChannelState => ({
  owner: undefined,
  metadata: undefined,
  pin: undefined,
  slots: new Map(),
  slotCount: 0,
  moderatorCount: 0,
  moderations: new Map(),
  moderationCount: 0,
});

/**
 * Why a message changes nothing.
 *
 * - `parked`: the channel has no owner, and the message is not of somebody who leaves
 * - `not_allowed`: the author may not do this
 * - `wrong_slot`: the action does not apply to what the account is to the channel
 * - `is_banned`: a banned account can only be unbanned
 * - `is_owner`: the owner cannot be banned
 * - `too_many_moderators`, `no_slot_left`: the channel is full
 */
export type Refusal =
  | 'parked'
  | 'not_allowed'
  | 'wrong_slot'
  | 'is_banned'
  | 'is_owner'
  | 'too_many_moderators'
  | 'no_slot_left';

/** What an accepted message changes. */
export type ChannelChange =
  | { readonly kind: 'update'; readonly metadata: ChannelMetadata }
  | { readonly kind: 'slot'; readonly fid: number; readonly state: SlotState }
  | { readonly kind: 'pin'; readonly castHash: Uint8Array | undefined }
  | { readonly kind: 'moderation'; readonly castHash: Uint8Array; readonly isHidden: boolean };

export type Decision =
  | { readonly refusal: Refusal; readonly change?: never }
  | { readonly change: ChannelChange; readonly refusal?: never };

type MemberMessage = Extract<ChannelMessage, { kind: 'member' }>;

/** Who sends a message, and to whom. */
interface Actors {
  readonly isOwner: boolean;
  /** Owner or moderator. */
  readonly mayModerate: boolean;
  /** The author names itself. */
  readonly isSelf: boolean;
  /** undefined: the named account has no slot. */
  readonly slot: SlotState | undefined;
}

const refuse = (refusal: Refusal): Decision => ({ refusal });

/** @returns why the action is refused, or the slot's new state */
const decideSlot = (state: ChannelState, { fid, action }: MemberMessage, actors: Actors): Refusal | SlotState => {
  const { isOwner, mayModerate, isSelf, slot } = actors;
  if (action === MemberAction.unban) {
    if (!mayModerate) return 'not_allowed';
    return slot === 'banned' ? 'removed' : 'wrong_slot';
  }
  if (slot === 'banned') return 'is_banned';
  switch (action) {
    case MemberAction.addMember: {
      const isOpen = state.metadata?.membershipMode === MembershipMode.open;
      if (!mayModerate && !(isSelf && isOpen)) return 'not_allowed';
      return slot === undefined || slot === 'removed' ? 'member' : 'wrong_slot';
    }
    case MemberAction.removeMember:
      if (slot !== 'member' && slot !== 'moderator') return 'wrong_slot';
      return isSelf || (slot === 'member' && mayModerate) ? 'removed' : 'not_allowed';
    case MemberAction.addModerator:
      if (!isOwner) return 'not_allowed';
      if (slot === 'moderator') return 'wrong_slot';
      return state.moderatorCount < MAX_MODERATORS ? 'moderator' : 'too_many_moderators';
    case MemberAction.removeModerator:
      if (!isOwner) return 'not_allowed';
      return slot === 'moderator' ? 'member' : 'wrong_slot';
    case MemberAction.ban:
      if (!mayModerate) return 'not_allowed';
      if (fid === state.owner) return 'is_owner';
      return slot !== 'moderator' || isOwner ? 'banned' : 'not_allowed';
  }
};

const SLOT_STATES: ReadonlySet<string> = new Set<SlotState>(['member', 'moderator', 'banned', 'removed']);

const isSlotState = (result: Refusal | SlotState): result is SlotState => SLOT_STATES.has(result);

/**
 * Decides about one message by the authority rules of the protocol (snapchain `channel_member_authority`). The order
 * of messages matters: it is that of the network's blocks, not that of timestamps.
 * @param author fid of the signer's account
 */
export const decide = (state: ChannelState, author: number, message: ChannelMessage): Decision => {
  const isOwner = author === state.owner;
  const mayModerate = isOwner || state.slots.get(author) === 'moderator';
  const leaves = message.kind === 'member' && message.action === MemberAction.removeMember && message.fid === author;
  if (state.owner === undefined && !leaves) return refuse('parked');
  switch (message.kind) {
    case 'update':
      return isOwner ? { change: { kind: 'update', metadata: message.metadata } } : refuse('not_allowed');
    case 'pin':
      return mayModerate ? { change: { kind: 'pin', castHash: message.castHash } } : refuse('not_allowed');
    case 'moderate': {
      if (!mayModerate) return refuse('not_allowed');
      const { castHash, isHidden } = message;
      if (!state.moderations.has(bareHex(castHash)) && state.moderationCount >= MAX_MODERATIONS)
        return refuse('no_slot_left');
      return { change: { kind: 'moderation', castHash, isHidden } };
    }
    case 'member': {
      const { fid } = message;
      const slot = state.slots.get(fid);
      const result = decideSlot(state, message, { isOwner, mayModerate, isSelf: author === fid, slot });
      if (!isSlotState(result)) return refuse(result);
      if (slot === undefined && state.slotCount >= MAX_SLOTS) return refuse('no_slot_left');
      return { change: { kind: 'slot', fid, state: result } };
    }
  }
};

const evolveSlot = (state: ChannelState, fid: number, next: SlotState): void => {
  const before = state.slots.get(fid);
  if (before === undefined) state.slotCount++;
  state.moderatorCount += Number(next === 'moderator') - Number(before === 'moderator');
  state.slots.set(fid, next);
};

/** Applies what {@link decide} accepted to the state, in place: a channel may have thousands of slots. */
export const evolve = (state: ChannelState, change: ChannelChange): void => {
  if (change.kind === 'update') state.metadata = change.metadata;
  else if (change.kind === 'pin') state.pin = change.castHash;
  else if (change.kind === 'slot') evolveSlot(state, change.fid, change.state);
  else {
    const key = bareHex(change.castHash);
    if (!state.moderations.has(key)) state.moderationCount++;
    state.moderations.set(key, change.isHidden);
  }
};
