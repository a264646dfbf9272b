import { IdRegisterEventType, OnChainEvent } from '@farcaster/core';
import Type from 'typebox';
import { equalBytes } from '../../../bytes.js';
import type { Session } from '../../../db/statement.js';
import { notFound } from '../../../error.js';
import { EXAMPLE_CUSTODY_ADDRESS } from '../../../schema/example.js';
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
  return equalBytes(event.to, address);
};

/** @returns the event that made the address the custody address of the account that it holds now */
export const findRegistrationOf = async (db: Session, address: Uint8Array): Promise<Uint8Array | undefined> =>
  (await selectIdRegisterEventsByCustody(db, address)).find((body) => gives(body, address));

export const hubLookupOnChainIdRegistryEventByAddress = operation({
  id: 'hub-lookup-on-chain-id-registry-event-by-address',
  path: '/v1/onChainIdRegistryEventByAddress',
  tags: ['Hub OnChainEvents'],
  title: 'Get the registration of an address',
  summary: 'Read the id registry event of an address.',
  cost: { fixed: 2 },
  query: Type.Object({ address: Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' }) }),
  parameters: {
    address: {
      description: 'The custody address of the account, 0x and 40 hex digits.',
      example: EXAMPLE_CUSTODY_ADDRESS,
    },
  },
  response: HubOnChainEventIdRegister,
  errors: [400, 404],
  handle: async ({ query }, { db }) => {
    const event = await findRegistrationOf(db, bytesOf(query.address, 'address', 20));
    if (event === undefined) throw notFound(`No account is in the custody of ${query.address}.`, 'address');
    return renderedJson(onchainEventJson(event));
  },
});
