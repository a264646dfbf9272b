import { Rejection } from '../verification-result.js';
import type { FrameActionBody } from '../wire/body.js';
import { checkCastId } from './target.js';

const FRAME_ACTION_BYTES = { url: 1024, inputText: 256, state: 4096, transactionId: 256, address: 64 } as const;
const MAX_BUTTON_INDEX = 5;

/** @throws Rejection if a member is missing or too long */
export const checkFrameAction = (action: FrameActionBody): void => {
  if (action.buttonIndex > MAX_BUTTON_INDEX) {
    throw new Rejection('bad_frame_action', `buttonIndex is at most ${MAX_BUTTON_INDEX}`);
  }
  if (action.url.length === 0) throw new Rejection('bad_frame_action', 'url is missing');
  for (const name of Object.keys(FRAME_ACTION_BYTES) as (keyof typeof FRAME_ACTION_BYTES)[]) {
    const max = FRAME_ACTION_BYTES[name];
    if (action[name].length > max) throw new Rejection('bad_frame_action', `${name} has at most ${max} bytes`);
  }
  if (action.castId !== undefined) checkCastId(action.castId, 'the cast of the frame');
};
