import { decodeMessage } from '../protocol/decode.js';
import { messageToJson } from '../protocol/hub-json-message.js';
import type { Envelope } from '../protocol/message.js';

/** @returns a signed message as JSON in hub form. It depends on nothing else, so it holds for as long as the hash does. */
export const viewHubMessage = (envelope: Envelope): string => JSON.stringify(messageToJson(decodeMessage(envelope)));
