import { HubEvent } from '@farcaster/core';
import { eventIdOf } from '../../../protocol/event/place.js';
import { hubEventToJson } from '../../../protocol/hub-json/event.js';
import { eventWithDataBytes } from '../../../protocol/wire/sent-message.js';
import type { LoggedEvent } from '../../../store/hub/event.js';

/** @returns the contract's `HubEvent` of a stored event; its id follows from that of its row */
export const hubEventJson = ({ id, body }: Pick<LoggedEvent, 'id' | 'body'>): object =>
  hubEventToJson({ ...HubEvent.decode(eventWithDataBytes(body)), id: eventIdOf(id) });
