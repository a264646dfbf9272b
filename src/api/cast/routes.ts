import type { Operation } from '../http/operation.js';
import { deleteCast } from './delete-cast.js';
import { fetchBulkCasts } from './fetch-bulk-casts.js';
import { fetchCastMetrics } from './fetch-cast-metrics.js';
import { fetchCastQuotes } from './fetch-cast-quotes.js';
import { fetchEmbeddedUrlMetadata } from './fetch-embedded-url-metadata.js';
import { lookupCastByHashOrUrl } from './lookup-cast-by-hash-or-url.js';
import { lookupCastConversation } from './lookup-cast-conversation.js';
import { lookupCastConversationSummary } from './lookup-cast-conversation-summary.js';
import { publishCast } from './publish-cast.js';
import { searchCasts } from './search-casts.js';

export const castRoutes: readonly Operation[] = [
  lookupCastByHashOrUrl,
  fetchBulkCasts,
  fetchCastQuotes,
  fetchEmbeddedUrlMetadata,
  lookupCastConversation,
  lookupCastConversationSummary,
  searchCasts,
  fetchCastMetrics,
  publishCast,
  deleteCast,
];
