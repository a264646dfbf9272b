import Type from 'typebox';
import { named } from '../named.js';

export const PrefixedHexString = named('PrefixedHexString', Type.String({ pattern: '^0x[a-fA-F0-9]+$' }));
