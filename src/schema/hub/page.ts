import { Base64 } from '../base64.js';
import { namedObject } from '../named.js';

/** Base64 of the last message's timestamp (4 bytes) and hash (20 bytes). */
export const HubPaginationResponse = namedObject('HubPaginationResponse', { nextPageToken: Base64 });
