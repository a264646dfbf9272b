import Type from 'typebox';
import { namedObject } from '../named.js';

/** This service has no peers, so both lists are empty. */
export const HubPeersResponse = namedObject('HubPeersResponse', {
  contacts: Type.Array(Type.Object({}), { maxItems: 0 }),
  peers: Type.Array(Type.Object({}), { maxItems: 0 }),
});
