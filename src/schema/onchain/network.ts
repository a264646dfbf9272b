import type { Static } from 'typebox';
import { named } from '../named.js';
import { stringEnum } from '../string-enum.js';

/** Networks whose balances can be read. */
export const Network = named('Network', stringEnum(['ethereum', 'optimism', 'base', 'arbitrum', 'robinhood']));
export type Network = Static<typeof Network>;
