import type { Operation } from '../operation.js';
import { fetchBulkCasts } from './fetch-bulk-casts.js';
import { lookupCastByHashOrUrl } from './lookup-cast-by-hash-or-url.js';

export const castRoom: readonly Operation[] = [lookupCastByHashOrUrl, fetchBulkCasts];
