import Type from 'typebox';
import { namedObject } from '../named.js';

export const SocialActionReqBody = namedObject('SocialActionReqBody', {
  action: Type.Object({
    payload: Type.Optional(Type.Object({}, { additionalProperties: true })),
    type: Type.String(),
  }),
  base_url: Type.String({
    format: 'uri',
    description:
      'Where the target app lives, as https address of 2048 characters at most; a path in it stays in front of ' +
      '/api/farcaster/action.',
  }),
  signer_uuid: Type.String({ format: 'uuid' }),
});
