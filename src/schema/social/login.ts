import Type from 'typebox';
import { named } from '../named.js';

export const NonceResponse = named('NonceResponse', Type.Object({ nonce: Type.String() }));
