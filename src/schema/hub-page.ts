import Type from 'typebox';
import { Base64 } from './base64.js';
import { named } from './named.js';

export const HubPaginationResponse = named('HubPaginationResponse', Type.Object({ nextPageToken: Base64 }));
