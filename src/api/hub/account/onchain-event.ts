import { OnChainEvent } from '@farcaster/core';
import { onChainEventToJson } from '../../../protocol/hub-json/onchain.js';

export const onchainEventJson = (body: Uint8Array): object => onChainEventToJson(OnChainEvent.decode(body));
