import Type from 'typebox';
import { named } from './named.js';

export const EthAddress = named('EthAddress', Type.String({ pattern: '^0x[a-fA-F0-9]{40}$' }));

export const SolAddress = named('SolAddress', Type.String({ pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$' }));
