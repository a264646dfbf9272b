import { bareHex } from '../hex.js';
import type { HubMessage } from '../hydrate/hub-message.js';
import type { Page } from '../hydrate/page.js';
import { messageToJson } from '../protocol/hub-json/message.js';
import { decodeMessage } from '../protocol/wire/decode.js';
import { HubMessage as HubMessageSchema } from '../schema/hub/message.js';
import { renamer } from '../schema/rename.js';
import type { Dialect } from '../schema/wire-names.js';
import { viewItems } from './items.js';
import { renderJson, toBytes } from './json.js';

type View = Pick<Page, 'dialect' | 'report'>;

const inEcosystem = renamer(HubMessageSchema, 'ecosystem');

const render = (envelope: HubMessage['envelope'], dialect: Dialect): string => {
  const message = messageToJson(decodeMessage(envelope));
  return renderJson(dialect === 'ecosystem' && inEcosystem !== undefined ? inEcosystem(message) : message);
};

/** @returns a signed message as JSON in hub form. It depends on the message alone, so it is cached with it. */
export const viewHubMessage = ({ envelope, json }: HubMessage, dialect: Dialect): string => {
  json[dialect] ??= render(envelope, dialect);
  return json[dialect];
};

/** @returns a page of signed messages. @param nextPageToken '' on the last page */
export const viewHubMessages = (messages: readonly HubMessage[], nextPageToken: string, view: View): Buffer => {
  const nameOf = ({ envelope }: HubMessage): string => `message 0x${bareHex(envelope.hash)}`;
  const items = viewItems(messages, view, nameOf, (message) => viewHubMessage(message, view.dialect));
  return toBytes('{"messages":[', items, `],"nextPageToken":"${nextPageToken}"}`);
};
