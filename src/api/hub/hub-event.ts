import { HubEvent } from '@farcaster/core';
import { hubEventToJson } from '../../protocol/hub-json/event.js';
import type { LoggedEvent } from '../../store/hub/event.js';

/** @returns the contract's `HubEvent` of a row of the log, which alone knows the id. */
export const hubEventJson = ({ id, body }: LoggedEvent): object => hubEventToJson({ ...HubEvent.decode(body), id });
