import Type from 'typebox';
import { named } from '../named.js';
import { HubPaginationResponse } from './page.js';
import { HubFid } from './scalar.js';

export const HubFidsResponse = named(
  'HubFidsResponse',
  Type.Object({ ...HubPaginationResponse.properties, fids: Type.Array(HubFid) }),
);
