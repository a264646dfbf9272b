import Type from 'typebox';
import { namedObject } from '../named.js';
import { HubPaginationResponse } from './page.js';
import { HubFid } from './scalar.js';

export const HubFidsResponse = namedObject('HubFidsResponse', {
  ...HubPaginationResponse.properties,
  fids: Type.Array(HubFid),
});
