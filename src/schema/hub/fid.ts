import Type from 'typebox';
import { HubPaginationResponse } from './page.js';
import { HubFid } from './scalar.js';
import { named } from '../named.js';

export const HubFidsResponse = named(
  'HubFidsResponse',
  Type.Object({ ...HubPaginationResponse.properties, fids: Type.Array(HubFid) }),
);
