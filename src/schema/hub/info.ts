import Type from 'typebox';
import { named } from '../named.js';

export const HubDbStats = named(
  'HubDbStats',
  Type.Object({
    numMessages: Type.Integer({ format: 'uint64' }),
    numFidEvents: Type.Integer({ format: 'uint64' }),
    numFnameEvents: Type.Integer({ format: 'uint64' }),
  }),
);
export const HubInfoResponse = named(
  'HubInfoResponse',
  Type.Object({
    version: Type.String(),
    isSyncing: Type.Boolean(),
    nickname: Type.String(),
    rootHash: Type.String(),
    dbStats: Type.Optional(HubDbStats),
    peerId: Type.String(),
    hubOperatorFid: Type.Integer({ format: 'uint64' }),
  }),
);
