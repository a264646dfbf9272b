import Type from 'typebox';
import { namedObject } from '../named.js';
import { nullable } from '../nullable.js';
import { MAX_ORIGINS } from '../origin.js';

/** Own extension: the app that a key belongs to. */
export const AppByApiKeyResponse = namedObject('AppByApiKeyResponse', {
  app_uuid: Type.String({ format: 'uuid' }),
  app_name: Type.String(),
  logo_url: nullable(Type.String({ description: "Picture of the app's account; null for an app without one." })),
});

const origins = Type.Array(Type.String(), {
  maxItems: MAX_ORIGINS,
  description: 'Like `https://app.example` or `http://localhost:3000`, without a path.',
});

/** Own extension: pages that may read with the id of the app in place of a key. */
export const AppOriginsReqBody = namedObject('AppOriginsReqBody', { origins });
export const AppOriginsResponse = namedObject('AppOriginsResponse', {
  app_uuid: Type.String({ format: 'uuid' }),
  origins,
});
