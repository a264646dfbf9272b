import { OnChainEvent } from '@farcaster/core';
import { onChainEventToJson } from '../../../protocol/hub-json-onchain.js';

/** @returns the contract's `HubOnChainEvent` of a stored event. */
export const onchainEventJson = (body: Uint8Array): object => onChainEventToJson(OnChainEvent.decode(body));
