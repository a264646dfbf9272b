import Type, { type Static } from 'typebox';
import { Fid } from '../fid.js';
import { named, namedObject } from '../named.js';
import { EncodedJsonSocialSignature } from '../social/frame.js';
import { SignerUUID } from '../social/signer.js';
import { stringEnumWith } from '../string-enum.js';

/** What happened in an app host, under the legacy name of the event; hosts may also send the newer one. */
export const AppHostEventType = named(
  'AppHostEventType',
  stringEnumWith(
    ['frame_added', 'frame_removed', 'notifications_enabled', 'notifications_disabled'],
    ['miniapp_added', 'miniapp_removed'],
  ),
);
export type AppHostEventType = Static<typeof AppHostEventType>;

export const AppHostNotificationDetails = namedObject('AppHostNotificationDetails', {
  token: Type.String(),
  url: Type.String(),
});

export const AppHostGetEventResponse = namedObject(
  'AppHostGetEventResponse',
  {
    event: Type.String({ description: 'Legacy name of the requested event.' }),
    notificationDetails: Type.Optional(AppHostNotificationDetails),
  },
  // Events without a token have a `nonce`, so that no two signatures are equal.
  { additionalProperties: true },
);

export const SignedMessageBody = namedObject('SignedMessageBody', {
  app_domain: Type.String(),
  signed_message: Type.Union([Type.String(), EncodedJsonSocialSignature]),
});

export const SignerUuidBody = namedObject('SignerUuidBody', {
  app_domain: Type.String(),
  event: AppHostEventType,
  fid: Fid,
  signer_uuid: SignerUUID,
});

export const AppHostPostEventReqBody = named(
  'AppHostPostEventReqBody',
  Type.Union([SignedMessageBody, SignerUuidBody]),
);
export type AppHostPostEventReqBody = Static<typeof AppHostPostEventReqBody>;

export const AppHostPostEventResponse = namedObject('AppHostPostEventResponse', {
  message: Type.Optional(Type.String()),
  success: Type.Boolean(),
});

export const AppHostUserStateResponse = namedObject('AppHostUserStateResponse', {
  notifications_enabled: Type.Array(
    Type.Object({
      domain: Type.String(),
      status: Type.String({ description: 'Usually valid.' }),
      updated_at: Type.String({ format: 'date-time' }),
    }),
  ),
});
