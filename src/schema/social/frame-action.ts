import Type from 'typebox';
import { namedObject } from '../named.js';
import { Cast } from './cast.js';
import { User } from './user.js';

/** Own extension: what a frame's server asks about the message that a button sent. */
export const ValidateFrameActionReqBody = namedObject('ValidateFrameActionReqBody', {
  message_bytes_in_hex: Type.String({
    pattern: '^(0x)?([0-9a-fA-F]{2})+$',
    maxLength: 16_384,
    description: '`trustedData.messageBytes` of the frame request.',
  }),
});

const ValidatedFrameAction = Type.Object({
  object: Type.Literal('validated_frame_action'),
  url: Type.String({ description: 'Address of the frame.' }),
  interactor: Type.Optional(User),
  tapped_button: Type.Object({ index: Type.Integer({ description: 'From 1 on.' }) }),
  input: Type.Optional(Type.Object({ text: Type.String() })),
  state: Type.Optional(Type.Object({ serialized: Type.String() })),
  cast: Type.Optional(Cast),
  timestamp: Type.String({ format: 'date-time' }),
  address: Type.Optional(Type.String()),
  transaction: Type.Optional(Type.Object({ hash: Type.String() })),
});

export const ValidateFrameActionResponse = namedObject('ValidateFrameActionResponse', {
  valid: Type.Boolean(),
  message: Type.Optional(Type.String({ description: 'Why it is not valid.' })),
  action: Type.Optional(ValidatedFrameAction),
});
