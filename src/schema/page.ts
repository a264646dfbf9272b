import Type from 'typebox';
import { named } from './named.js';
import { nullable } from './nullable.js';

/** `cursor` is required, and null on the last page. */
export const NextCursor = named('NextCursor', Type.Object({ cursor: nullable(Type.String()) }));
