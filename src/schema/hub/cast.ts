import Type, { type Static } from 'typebox';
import { Base64 } from '../base64.js';
import { named, namedObject } from '../named.js';
import { HubMessageCommon, HubMessageDataCommon } from './message-common.js';
import { HubPaginationResponse } from './page.js';
import { HubCastHash, HubMessageType } from './scalar.js';

export const HubCastId = namedObject('HubCastId', { fid: Type.Integer({ format: 'uint64' }), hash: HubCastHash });
export const HubCastEmbed = namedObject('HubCastEmbed', { castId: HubCastId });
/** The protocol accepts any text of up to 256 bytes as an embedded URL. */
const OtherUrl = Type.String({ description: 'Any other text.' });

export const HubUrlEmbed = namedObject('HubUrlEmbed', { url: Type.Union([Type.String({ format: 'uri' }), OtherUrl]) });
export const HubEmbed = named('HubEmbed', Type.Union([HubCastEmbed, HubUrlEmbed]));
export type HubEmbed = Static<typeof HubEmbed>;

export const HubCastAddBody = namedObject('HubCastAddBody', {
  embedsDeprecated: Type.Array(Type.String()),
  mentions: Type.Array(Type.Integer({ format: 'uint64' })),
  parentCastId: Type.Optional(HubCastId),
  parentUrl: Type.Optional(Type.String()),
  text: Type.String(),
  mentionsPositions: Type.Array(Type.Integer({ format: 'int64' })),
  embeds: Type.Array(HubEmbed),
});
export const HubMessageDataCastAdd = namedObject('HubMessageDataCastAdd', {
  ...HubMessageDataCommon.properties,
  castAddBody: HubCastAddBody,
});
/**
 * The contract has the hash next to the common members, hubs have it as base64 in `castRemoveBody`: both are written.
 */
export const HubMessageDataCastRemove = namedObject('HubMessageDataCastRemove', {
  ...HubMessageDataCommon.properties,
  targetHash: HubCastHash,
  castRemoveBody: Type.Optional(Type.Object({ targetHash: Base64 })),
});
export type HubMessageDataCastRemove = Static<typeof HubMessageDataCastRemove>;

export const HubCastAdd = namedObject('HubCastAdd', {
  ...HubMessageCommon.properties,
  data: Type.Object({ ...HubMessageDataCastAdd.properties, type: HubMessageType }),
});
export type HubCastAdd = Static<typeof HubCastAdd>;

export const HubCastsResponse = namedObject('HubCastsResponse', {
  ...HubPaginationResponse.properties,
  messages: Type.Array(HubCastAdd),
});
