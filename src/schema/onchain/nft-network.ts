import Type, { type Static } from 'typebox';
import { named } from '../named.js';

/** Networks on which collections are deployed and minted. */
export const NftNetwork = named('NftNetwork', Type.Enum(['base', 'optimism', 'base-sepolia'], { type: 'string' }));
export type NftNetwork = Static<typeof NftNetwork>;
