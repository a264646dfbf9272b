import Type from 'typebox';
import { namedObject } from '../named.js';
import { SCOPES } from '../scope.js';
import { stringEnum } from '../string-enum.js';

export const CreateOwnKeyReqBody = namedObject('CreateOwnKeyReqBody', {
  name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
  scopes: Type.Array(stringEnum(SCOPES), {
    minItems: 1,
    maxItems: SCOPES.length,
    description: 'Among those of the calling key.',
  }),
});
