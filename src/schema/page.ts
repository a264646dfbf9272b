import Type from 'typebox';
import { namedObject } from './named.js';
import { nullable } from './nullable.js';

/** `cursor` is required, and null on the last page. */
export const NextCursor = namedObject('NextCursor', { cursor: nullable(Type.String()) });
