import Type from 'typebox';
import { namedObject } from '../named.js';

export const HubDbStats = namedObject('HubDbStats', {
  numMessages: Type.Integer({ format: 'uint64' }),
  numFidEvents: Type.Integer({ format: 'uint64' }),
  numFnameEvents: Type.Integer({ format: 'uint64' }),
});
export const HubInfoResponse = namedObject('HubInfoResponse', {
  version: Type.String(),
  isSyncing: Type.Boolean(),
  nickname: Type.String(),
  rootHash: Type.String(),
  dbStats: Type.Optional(HubDbStats),
  peerId: Type.String(),
  hubOperatorFid: Type.Integer({ format: 'uint64' }),
});
