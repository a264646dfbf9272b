import type { Operation } from '../operation.js';
import { fetchBulkCasts } from './fetch-bulk-casts.js';
import { fetchCastQuotes } from './fetch-cast-quotes.js';
import { lookupCastByHashOrUrl } from './lookup-cast-by-hash-or-url.js';
import { lookupCastConversation } from './lookup-cast-conversation.js';
import { searchCasts } from './search-casts.js';

export const castRoom: readonly Operation[] = [
  lookupCastByHashOrUrl,
  fetchBulkCasts,
  fetchCastQuotes,
  lookupCastConversation,
  searchCasts,
];
