import Type from 'typebox';
import { named } from '../named.js';
import { CastQuotesResponse } from './cast.js';

/** The same shape under its second name in the contract. */
export const FeedResponse = named('FeedResponse', Type.Object(CastQuotesResponse.properties));
