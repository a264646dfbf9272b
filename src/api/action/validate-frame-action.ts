import { MessageType } from '@farcaster/core';
import { invalidField } from '../../error.js';
import { bareHex, fromHex, toHex } from '../../hex.js';
import { hydrateCasts, type Page } from '../../hydrate/page.js';
import { toIso } from '../../protocol/time.js';
import type { FrameActionBody } from '../../protocol/wire/body.js';
import { decodeMessage } from '../../protocol/wire/decode.js';
import { decodeEnvelope } from '../../protocol/wire/envelope.js';
import { ValidateFrameActionReqBody, ValidateFrameActionResponse } from '../../schema/social/frame-action.js';
import { viewCastItems } from '../../view/cast-page.js';
import { renderJson, toBytes } from '../../view/json.js';
import { viewUserItems } from '../../view/user-page.js';
import { operation } from '../http/operation.js';
import { refusal } from '../hub/message/error.js';

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

/** @returns the members of the action that come from the message alone, as JSON */
const viewBody = (body: FrameActionBody, timestamp: number): string =>
  renderJson({
    object: 'validated_frame_action',
    url: textOf(body.url),
    tapped_button: { index: body.buttonIndex },
    ...(body.inputText.length > 0 && { input: { text: textOf(body.inputText) } }),
    ...(body.state.length > 0 && { state: { serialized: textOf(body.state) } }),
    ...(body.address.length > 0 && { address: toHex(body.address) }),
    ...(body.transactionId.length > 0 && { transaction: { hash: toHex(body.transactionId) } }),
    timestamp: toIso(timestamp),
  });

/** @returns the user and the cast as members of the action, as JSON; what is not stored is left out */
const viewContext = (fid: number, hash: string | undefined, page: Page): string => {
  const [user] = viewUserItems([fid], page);
  const [cast] = viewCastItems(hash === undefined ? [] : [hash], page);
  return `${user === undefined ? '' : `,"interactor":${user}`}${cast === undefined ? '' : `,"cast":${cast}`}`;
};

export const validateFrameAction = operation({
  id: 'validate-frame-action',
  method: 'POST',
  path: '/v2/social/frame/validate/',
  tags: ['Frame'],
  title: 'Validate a frame action',
  summary: 'Check the message that a button of a frame sent, and read who sent it from which cast. Own extension.',
  cost: { fixed: 5 },
  scope: 'read',
  body: ValidateFrameActionReqBody,
  bodyExample: {
    message_bytes_in_hex: '0a49080d1085940118f6a6a32e20018201390a1a86db69b3ffdf6ab8acb6872b69ccbe7eb6a67af7',
  },
  bodyExampleNote: 'Put the bytes of a signed message of a frame into `message_bytes_in_hex`.',
  response: ValidateFrameActionResponse,
  errors: [400],
  handle: async ({ body: { message_bytes_in_hex: hex }, caller }, { hub, reads }) => {
    const wire = fromHex(hex);
    const { data, type, fid, timestamp } = decodeMessage(decodeEnvelope(wire));
    if (type !== MessageType.FRAME_ACTION || data.frameActionBody === undefined) {
      const message = 'message_bytes_in_hex must be a message of type MESSAGE_TYPE_FRAME_ACTION';
      throw invalidField('message_bytes_in_hex', message);
    }
    const result = await hub.validate(wire);
    if (!result.ok && result.reason === 'internal') throw refusal(result.reason, result.detail);
    if (!result.ok) return { valid: false, message: result.detail };
    const action = data.frameActionBody;
    const hash = action.castId === undefined ? undefined : bareHex(action.castId.hash);
    const page = await hydrateCasts(reads.open(), hash === undefined ? [] : [hash], {
      audience: { appId: caller.appId, viewer: null },
      accounts: [fid],
    });
    const members = viewBody(action, timestamp).slice(0, -1);
    return toBytes('{"valid":true,"action":', [`${members}${viewContext(fid, hash, page)}}`], '}');
  },
});
