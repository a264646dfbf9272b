import { HubEvent } from '@farcaster/core';
import { hubEventToJson } from '../../../protocol/hub-json/event.js';
import type { LoggedEvent } from '../../../store/hub/event.js';

/** @returns the contract's `HubEvent` of a stored event; its id is a column and not in the body */
export const hubEventJson = ({ id, body }: LoggedEvent): object => hubEventToJson({ ...HubEvent.decode(body), id });
