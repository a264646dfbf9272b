import type { Operation } from '../http/operation.js';
import { fetchFrameCatalog } from './fetch-frame-catalog.js';
import { fetchRelevantFrames } from './fetch-relevant-frames.js';
import { searchFrames } from './search-frames.js';

export const frameCatalogRoutes: readonly Operation[] = [fetchFrameCatalog, searchFrames, fetchRelevantFrames];
