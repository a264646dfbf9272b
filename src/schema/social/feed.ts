import { namedObject } from '../named.js';
import { CastQuotesResponse } from './cast.js';

/** The same shape under its second name in the contract. */
export const FeedResponse = namedObject('FeedResponse', CastQuotesResponse.properties);
