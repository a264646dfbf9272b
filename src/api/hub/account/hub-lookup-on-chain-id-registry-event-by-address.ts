import { IdRegisterEventType, OnChainEvent } from '@farcaster/core';
import Type from 'typebox';
import { notFound } from '../../../error.js';
import { HubOnChainEventIdRegister } from '../../../schema/hub/onchain-event.js';
import { selectIdRegisterEventsByCustody } from '../../../store/hub/onchain-event.js';
import { operation } from '../../http/operation.js';
import { bytesOf } from '../parameter.js';
import { renderedJson } from '../rendered-json.js';
import { onchainEventJson } from './onchain-event.js';

/** Whether the event made this address the custody address, by registration or transfer. */
const gives = (body: Uint8Array, address: Uint8Array): boolean => {
  const event = OnChainEvent.decode(body).idRegisterEventBody;
  if (event === undefined || event.eventType === IdRegisterEventType.CHANGE_RECOVERY) return false;
  return Buffer.compare(event.to, address) === 0;
};

export const hubLookupOnChainIdRegistryEventByAddress = operation({
  id: 'hub-lookup-on-chain-id-registry-event-by-address',
  path: '/v1/onChainIdRegistryEventByAddress',
  tags: ['Hub OnChainEvents'],
  summary: 'Read the id registry event of an address.',
  query: Type.Object({ address: Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' }) }),
  response: HubOnChainEventIdRegister,
  errors: [400, 404],
  handle: async ({ query }, { db }) => {
    const address = bytesOf(query.address, 'address', 20);
    const events = await selectIdRegisterEventsByCustody(db, address);
    const event = events.find((body) => gives(body, address));
    if (event === undefined) throw notFound(`No account is in the custody of ${query.address}.`, 'address');
    return renderedJson(onchainEventJson(event));
  },
});
