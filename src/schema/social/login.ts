import Type from 'typebox';
import { namedObject } from '../named.js';

export const NonceResponse = namedObject('NonceResponse', { nonce: Type.String() });
