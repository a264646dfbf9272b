import Type from 'typebox';
import { CastQuotesResponse } from './cast.js';
import { named } from '../named.js';

/** The contract gives the same shape a second name. */
export const FeedResponse = named('FeedResponse', Type.Object(CastQuotesResponse.properties));
