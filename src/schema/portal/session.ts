import Type, { type Static } from 'typebox';
import { namedObject } from '../named.js';
import { nullable } from '../nullable.js';
import { SCOPES } from '../scope.js';
import { stringEnum } from '../string-enum.js';

/** Who is signed in to the console, and what they may do. */
export const ConsoleSession = namedObject('ConsoleSession', {
  key_uuid: Type.String({ format: 'uuid' }),
  key_name: Type.String(),
  app_uuid: Type.String({ format: 'uuid' }),
  app_name: Type.String(),
  app_fid: nullable(Type.Integer({ description: "The app's own account." })),
  organization_uuid: Type.String({ format: 'uuid' }),
  organization_name: Type.String(),
  scopes: Type.Array(stringEnum(SCOPES), { description: 'What the key may do, and so the session.' }),
  expires_at: Type.String({ format: 'date-time' }),
  is_development: Type.Boolean({ description: 'The service is `castellan dev`.' }),
});
export type ConsoleSession = Static<typeof ConsoleSession>;

export const ConsoleSessionResponse = namedObject('ConsoleSessionResponse', { session: ConsoleSession });

export const CreateSessionReqBody = namedObject('CreateSessionReqBody', {
  api_key: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
  link: Type.Optional(
    Type.String({ minLength: 1, maxLength: 512, description: 'Token of the link that `castellan dev` prints.' }),
  ),
});

export const EndSessionResponse = namedObject('EndSessionResponse', { success: Type.Boolean() });
