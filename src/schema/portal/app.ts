import Type from 'typebox';
import { namedObject } from '../named.js';
import { nullable } from '../nullable.js';

/** Own extension: the app that a key belongs to. */
export const AppByApiKeyResponse = namedObject('AppByApiKeyResponse', {
  app_uuid: Type.String({ format: 'uuid' }),
  app_name: Type.String(),
  logo_url: nullable(Type.String({ description: "Picture of the app's account; null for an app without one." })),
});
