import Type, { type Static } from 'typebox';
import { named } from '../named.js';

/** Networks whose balances can be read. */
export const Network = named(
  'Network',
  Type.Enum(['ethereum', 'optimism', 'base', 'arbitrum', 'robinhood'], { type: 'string' }),
);
export type Network = Static<typeof Network>;
