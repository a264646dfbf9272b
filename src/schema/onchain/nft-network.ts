import type { Static } from 'typebox';
import { named } from '../named.js';
import { stringEnum } from '../string-enum.js';

/** Networks on which collections are deployed and minted. */
export const NftNetwork = named('NftNetwork', stringEnum(['base', 'optimism', 'base-sepolia']));
export type NftNetwork = Static<typeof NftNetwork>;
