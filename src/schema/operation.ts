import Type from 'typebox';
import { named } from './named.js';

export const OperationResponse = named(
  'OperationResponse',
  Type.Object({ message: Type.Optional(Type.String()), success: Type.Optional(Type.Boolean()) }),
);
