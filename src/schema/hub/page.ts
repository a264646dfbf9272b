import Type from 'typebox';
import { Base64 } from '../base64.js';
import { named } from '../named.js';

/** Base64 of the last message's timestamp (4 bytes) and hash (20 bytes). */
export const HubPaginationResponse = named('HubPaginationResponse', Type.Object({ nextPageToken: Base64 }));
