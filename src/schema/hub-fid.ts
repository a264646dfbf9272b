import Type from 'typebox';
import { HubPaginationResponse } from './hub-page.js';
import { HubFid } from './hub-scalar.js';
import { named } from './named.js';

export const HubFidsResponse = named(
  'HubFidsResponse',
  Type.Object({ ...HubPaginationResponse.properties, fids: Type.Array(HubFid) }),
);
