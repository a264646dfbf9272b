import Type, { type Static } from 'typebox';
import { HubMessageDataCastAdd, HubMessageDataCastRemove } from './hub-cast.js';
import { HubMessageDataFrameAction } from './hub-frame-action.js';
import { HubMessageDataLink } from './hub-link.js';
import { HubMessageCommon } from './hub-message-common.js';
import { HubMessageDataReaction } from './hub-reaction.js';
import { HubMessageDataUserDataAdd } from './hub-user-data.js';
import { HubMessageDataUsernameProof } from './hub-username.js';
import { HubMessageDataVerificationAdd, HubMessageDataVerificationRemove } from './hub-verification.js';
import { named } from './named.js';

export const HubMessage = named(
  'HubMessage',
  Type.Object({
    ...HubMessageCommon.properties,
    data: Type.Union([
      HubMessageDataCastAdd,
      HubMessageDataCastRemove,
      HubMessageDataReaction,
      HubMessageDataLink,
      HubMessageDataVerificationAdd,
      HubMessageDataVerificationRemove,
      HubMessageDataUserDataAdd,
      HubMessageDataUsernameProof,
      HubMessageDataFrameAction,
    ]),
  }),
);
export type HubMessage = Static<typeof HubMessage>;

export const HubValidateMessageResponse = named(
  'HubValidateMessageResponse',
  Type.Object({ valid: Type.Boolean(), message: HubMessage }),
);
