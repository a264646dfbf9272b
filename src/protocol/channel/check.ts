import { HASH_BYTES } from '../limit.js';
import { Rejection } from '../verification-result.js';
import type { ChannelMemberBody, ChannelModerateBody, ChannelPinBody, ChannelUpdateBody } from '../wire/body.js';
import { UINT32 } from '../wire/wire.js';
import { CastingMode, isOneOf, MemberAction, MembershipMode, ModerateAction } from './type.js';

// What hubs check of a message alone (snapchain src/core/validations/message.rs). Texts have no limit but that of the
// data, so they are cut where they are shown.

export const CHANNEL_ID_BYTES = 32;

const checkChannelId = ({ channelId }: { readonly channelId: Uint8Array }): void => {
  if (channelId.length === CHANNEL_ID_BYTES) return;
  throw new Rejection('bad_channel', `channelId must have ${CHANNEL_ID_BYTES} bytes, has ${channelId.length}`);
};

/** 0 is the same as absence. */
const isMode = (modes: Readonly<Record<string, number>>, mode = 0): boolean => mode === 0 || isOneOf(modes, mode);

/** @throws Rejection */
export const checkChannelUpdate = (body: ChannelUpdateBody): void => {
  checkChannelId(body);
  const { castingMode, membershipMode } = body;
  if (!isMode(CastingMode, castingMode)) throw new Rejection('bad_channel', `${castingMode} is no castingMode`);
  if (!isMode(MembershipMode, membershipMode))
    throw new Rejection('bad_channel', `${membershipMode} is no membershipMode`);
};

/** @throws Rejection */
export const checkChannelMember = (body: ChannelMemberBody): void => {
  checkChannelId(body);
  const { fid, action } = body;
  if (fid < 1 || fid > UINT32) throw new Rejection('bad_channel', `the fid of a member is 1 to ${UINT32}, not ${fid}`);
  if (!isOneOf(MemberAction, action)) throw new Rejection('bad_channel', `${action} is no action on a member`);
};

/** @throws Rejection */
export const checkChannelPin = (body: ChannelPinBody): void => {
  checkChannelId(body);
  const { length } = body.castHash;
  if (length !== 0 && length !== HASH_BYTES)
    throw new Rejection('bad_channel', `castHash must have ${HASH_BYTES} bytes, or none to unpin; it has ${length}`);
};

/** @throws Rejection */
export const checkChannelModerate = (body: ChannelModerateBody): void => {
  checkChannelId(body);
  const { action, castHash } = body;
  if (castHash.length !== HASH_BYTES)
    throw new Rejection('bad_channel', `castHash must have ${HASH_BYTES} bytes, has ${castHash.length}`);
  if (!isOneOf(ModerateAction, action)) throw new Rejection('bad_channel', `${action} is no action on a cast`);
};
