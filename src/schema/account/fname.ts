import Type from 'typebox';
import { namedObject } from '../named.js';

export const FnameAvailabilityResponse = namedObject('FnameAvailabilityResponse', { available: Type.Boolean() });
