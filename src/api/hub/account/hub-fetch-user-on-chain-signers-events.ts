import Type from 'typebox';
import { notFound } from '../../../error.js';
import { HubOnChainEventSigner, HubOnChainSignersResponse } from '../../../schema/hub/onchain-event.js';
import { selectActiveSignerEvents } from '../../../store/hub/onchain-event.js';
import { operation } from '../../http/operation.js';
import { listPageQuery, MAX_LIST_PAGE } from '../list-page.js';
import { readTokenText, writeTokenText } from '../list-token.js';
import { bytesOf, fidQuery } from '../parameter.js';
import { renderedJson } from '../rendered-json.js';
import { onchainEventJson } from './onchain-event.js';
import { listSignerEvents } from './signer-event-page.js';

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
    ...listPageQuery,
  }),
  parameters: { fid: { description: 'The account whose signers are read.', example: 1 } },
  response: Type.Union([HubOnChainEventSigner, HubOnChainSignersResponse]),
  errors: [400, 404],
  handle: async ({ query: { signer, ...query } }, { db }) => {
    const { fid, pageSize = MAX_LIST_PAGE, reverse } = query;
    if (signer === undefined) {
      const list = { fid, pageSize, reverse, pageToken: readTokenText(query.pageToken) };
      const { events, nextPageToken } = await listSignerEvents(db, list);
      const next = nextPageToken && { nextPageToken: writeTokenText(nextPageToken) };
      return renderedJson({ events: events.map(onchainEventJson), ...next });
    }
    const event = (await selectActiveSignerEvents(db, fid, bytesOf(signer, 'signer', 32))).at(-1);
    if (event === undefined) throw notFound(`${signer} is no active signer of fid ${fid}.`, 'signer');
    return renderedJson(onchainEventJson(event));
  },
});
