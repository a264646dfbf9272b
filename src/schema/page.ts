import Type from 'typebox';
import { namedObject } from './named.js';
import { nullable } from './nullable.js';

/** `cursor` is required, and null on the last page. */
export const NextCursor = namedObject('NextCursor', { cursor: nullable(Type.String()) });

/** The same where no program of the field reads it: without a name of its own. */
export const nextPage = Type.Object({
  cursor: nullable(Type.String({ description: 'For the next page; null on the last one.' })),
});
