import Type from 'typebox';
import { namedObject } from '../named.js';
import { nullable } from '../nullable.js';
import { HubCastAdd } from './cast.js';

export const CastCheckResponse = namedObject('CastCheckResponse', {
  message: HubCastAdd,
  is_valid: Type.Boolean({ description: 'Its hash and its signature are right, by a check made now.' }),
  problem: nullable(Type.String({ description: 'Why it is not valid; null: it is.' })),
  key: nullable(
    Type.Object(
      {
        is_active: Type.Boolean({ description: 'It may sign for the account now.' }),
        decided_at: Type.String({ format: 'date-time', description: 'When it was added, or removed.' }),
        app_fid: nullable(Type.Integer({ description: 'Account of the app that asked for it.' })),
      },
      { description: 'The key that signed, as the store knows it; null: the account has no such key.' },
    ),
  ),
});
