import Type from 'typebox';
import { namedObject } from './named.js';

/** A part of a text in UTF-16 code units, as in `text.slice(start, end)`. */
export const TextRange = namedObject('TextRange', {
  end: Type.Integer({ minimum: 0, description: 'Exclusive.' }),
  start: Type.Integer({ minimum: 0, description: 'Inclusive.' }),
});
