import Type from 'typebox';
import { notFound } from '../../../error.js';
import { HubOnChainEventSigner, HubOnChainSignersResponse } from '../../../schema/hub/onchain-event.js';
import { selectActiveSignerEvents } from '../../../store/hub/onchain-event.js';
import { operation } from '../../http/operation.js';
import { bytesOf, fidQuery } from '../parameter.js';
import { renderedJson } from '../rendered-json.js';
import { onchainEventJson } from './onchain-event.js';

export const hubFetchUserOnChainSignersEvents = operation({
  id: 'hub-fetch-user-on-chain-signers-events',
  path: '/v1/onChainSignersByFid',
  tags: ['Hub OnChainEvents'],
  title: 'List onchain signers of an account',
  summary: 'Read onchain signer events of a FID.',
  cost: { fixed: 10 },
  query: Type.Object({
    fid: fidQuery,
    signer: Type.Optional(
      Type.String({ description: 'Public key; with it one event is answered, or not_found. All active ones without.' }),
    ),
  }),
  parameters: { fid: { description: 'The account whose signers are read.', example: 1 } },
  response: Type.Union([HubOnChainEventSigner, HubOnChainSignersResponse]),
  errors: [400, 404],
  handle: async ({ query: { fid, signer } }, { db }) => {
    const key = signer === undefined ? null : bytesOf(signer, 'signer', 32);
    const events = await selectActiveSignerEvents(db, fid, key);
    if (key === null) return renderedJson({ events: events.map(onchainEventJson) });
    const event = events.at(-1);
    if (event === undefined) throw notFound(`${signer} is no active signer of fid ${fid}.`, 'signer');
    return renderedJson(onchainEventJson(event));
  },
});
