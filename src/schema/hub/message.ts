import Type, { type Static } from 'typebox';
import { namedObject } from '../named.js';
import { HubMessageDataCastAdd, HubMessageDataCastRemove } from './cast.js';
import { HubMessageDataFrameAction } from './frame-action.js';
import { HubMessageDataLink } from './link.js';
import { HubMessageCommon, HubMessageDataCommon } from './message-common.js';
import { HubMessageDataReaction, HubReactionBody } from './reaction.js';
import { OtherMessageType } from './scalar.js';
import { HubMessageDataUserDataAdd } from './user-data.js';
import { HubMessageDataUsernameProof } from './username.js';
import { HubMessageDataVerificationAdd, HubMessageDataVerificationRemove } from './verification.js';

/**
 * Message types that the contract does not describe (compact link state, storage lending, keys, channels). Events
 * contain them, because a log without some messages cannot be followed. Their bodies are next to these members.
 */
const MessageDataOther = Type.Object({ ...HubMessageDataCommon.properties, type: OtherMessageType });

/** A reaction that is neither a like nor a recast: lists never contain one, but events and `validateMessage` may. */
const MessageDataReactionNone = Type.Object({
  ...HubMessageDataCommon.properties,
  reactionBody: Type.Object({ ...HubReactionBody.properties, type: Type.Literal('REACTION_TYPE_NONE') }),
});

export const HubMessage = namedObject('HubMessage', {
  ...HubMessageCommon.properties,
  data: Type.Union([
    HubMessageDataCastAdd,
    HubMessageDataCastRemove,
    HubMessageDataReaction,
    MessageDataReactionNone,
    HubMessageDataLink,
    HubMessageDataVerificationAdd,
    HubMessageDataVerificationRemove,
    HubMessageDataUserDataAdd,
    HubMessageDataUsernameProof,
    HubMessageDataFrameAction,
    MessageDataOther,
  ]),
});
export type HubMessage = Static<typeof HubMessage>;

export const HubValidateMessageResponse = namedObject('HubValidateMessageResponse', {
  valid: Type.Boolean(),
  message: HubMessage,
});
