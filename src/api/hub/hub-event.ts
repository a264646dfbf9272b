import { HubEvent } from '@farcaster/core';
import { hubEventToJson } from '../../protocol/hub-json-event.js';
import type { HubEventRow } from '../../store/hub-event.js';

/** @returns the contract's `HubEvent` of a row of the log, which alone knows the id. */
export const hubEventJson = ({ id, body }: HubEventRow): object => hubEventToJson({ ...HubEvent.decode(body), id });
