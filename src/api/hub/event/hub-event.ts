import { HubEvent } from '@farcaster/core';
import { hubEventToJson } from '../../../protocol/hub-json/event.js';
import { eventWithDataBytes } from '../../../protocol/wire/sent-message.js';
import type { LoggedEvent } from '../../../store/hub/event.js';

/** @returns the contract's `HubEvent` of a stored event; its id is a column and not in the body */
export const hubEventJson = ({ id, body }: Pick<LoggedEvent, 'id' | 'body'>): object =>
  hubEventToJson({ ...HubEvent.decode(eventWithDataBytes(body)), id });
