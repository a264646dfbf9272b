import Type, { type Static } from 'typebox';
import { Base64 } from '../base64.js';
import { named } from '../named.js';
import { HubMessageCommon, HubMessageDataCommon } from './message-common.js';
import { HubPaginationResponse } from './page.js';
import { HubCastHash, HubMessageType } from './scalar.js';

export const HubCastId = named(
  'HubCastId',
  Type.Object({ fid: Type.Integer({ format: 'uint64' }), hash: HubCastHash }),
);
export const HubCastEmbed = named('HubCastEmbed', Type.Object({ castId: HubCastId }));
export const HubUrlEmbed = named('HubUrlEmbed', Type.Object({ url: Type.String({ format: 'uri' }) }));
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
export const HubMessageDataCastAdd = named(
  'HubMessageDataCastAdd',
  Type.Object({ ...HubMessageDataCommon.properties, castAddBody: HubCastAddBody }),
);
/**
 * The contract has the hash next to the common members, hubs have it as base64 in `castRemoveBody`: both are written.
 */
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
