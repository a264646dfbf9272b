import Type, { type Static } from 'typebox';
import { Base64 } from '../base64.js';
import { HubMessageCommon, HubMessageDataCommon } from './message-common.js';
import { HubPaginationResponse } from './page.js';
import { HubCastHash, HubMessageType } from './scalar.js';
import { named } from '../named.js';

export const HubCastId = named(
  'HubCastId',
  Type.Object({ fid: Type.Integer({ format: 'uint64' }), hash: HubCastHash }),
);
export type HubCastId = Static<typeof HubCastId>;

export const HubCastEmbed = named('HubCastEmbed', Type.Object({ castId: HubCastId }));
export type HubCastEmbed = Static<typeof HubCastEmbed>;

export const HubUrlEmbed = named('HubUrlEmbed', Type.Object({ url: Type.String({ format: 'uri' }) }));
export type HubUrlEmbed = Static<typeof HubUrlEmbed>;

export const HubEmbed = named('HubEmbed', Type.Union([HubCastEmbed, HubUrlEmbed]));
export type HubEmbed = Static<typeof HubEmbed>;

export const HubCastAddBody = named(
  'HubCastAddBody',
  Type.Object({
    embedsDeprecated: Type.Array(Type.String()),
    mentions: Type.Array(Type.Integer({ format: 'uint64' })),
    parentCastId: Type.Optional(HubCastId),
    parentUrl: Type.Optional(Type.String()),
    text: Type.String(),
    mentionsPositions: Type.Array(Type.Integer({ format: 'int64' })),
    embeds: Type.Array(HubEmbed),
  }),
);
export type HubCastAddBody = Static<typeof HubCastAddBody>;

export const HubMessageDataCastAdd = named(
  'HubMessageDataCastAdd',
  Type.Object({ ...HubMessageDataCommon.properties, castAddBody: HubCastAddBody }),
);
export type HubMessageDataCastAdd = Static<typeof HubMessageDataCastAdd>;

/** The contract puts the hash beside the common members, hub software in base64 into `castRemoveBody`: both are written. */
export const HubMessageDataCastRemove = named(
  'HubMessageDataCastRemove',
  Type.Object({
    ...HubMessageDataCommon.properties,
    targetHash: HubCastHash,
    castRemoveBody: Type.Optional(Type.Object({ targetHash: Base64 })),
  }),
);
export type HubMessageDataCastRemove = Static<typeof HubMessageDataCastRemove>;

export const HubCastAdd = named(
  'HubCastAdd',
  Type.Object({
    ...HubMessageCommon.properties,
    data: Type.Object({ ...HubMessageDataCastAdd.properties, type: HubMessageType }),
  }),
);
export type HubCastAdd = Static<typeof HubCastAdd>;

export const HubCastsResponse = named(
  'HubCastsResponse',
  Type.Object({ ...HubPaginationResponse.properties, messages: Type.Array(HubCastAdd) }),
);
