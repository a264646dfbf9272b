import { decodeMessage } from '../protocol/decode.js';
import { messageToJson } from '../protocol/hub-json-message.js';
import type { Envelope } from '../protocol/message.js';
import { HubMessage } from '../schema/hub-message.js';
import { renamer } from '../schema/rename.js';
import type { Dialect } from '../schema/wire-names.js';

const inEcosystem = renamer(HubMessage, 'ecosystem');

/** @returns a signed message as JSON in hub form. It depends on nothing else, so it holds for as long as the hash does. */
export const viewHubMessage = (envelope: Envelope, dialect: Dialect): string => {
  const message = messageToJson(decodeMessage(envelope));
  return JSON.stringify(dialect === 'ecosystem' && inEcosystem !== undefined ? inEcosystem(message) : message);
};
