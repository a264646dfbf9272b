import Type from 'typebox';
import { namedObject } from './named.js';

export const OperationResponse = namedObject('OperationResponse', {
  message: Type.Optional(Type.String()),
  success: Type.Optional(Type.Boolean()),
});
