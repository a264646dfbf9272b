import Type from 'typebox';
import { named } from './named.js';

export const Idem = named(
  'Idem',
  Type.String({ description: 'Idempotency key; send the same one on a retry; 16 characters are advised.' }),
);
