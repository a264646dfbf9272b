import Type from 'typebox';
import { HubSignersResponse } from '../../../schema/hub/signer.js';
import { commaSeparated } from '../../http/comma-separated.js';
import { operation } from '../../http/operation.js';
import { listPageQuery, MAX_LIST_PAGE } from '../list-page.js';
import { readTokenText, writeTokenText } from '../list-token.js';
import { fidQuery } from '../parameter.js';
import { renderedJson } from '../rendered-json.js';
import { signerJson } from './signer-json.js';
import { listSigners } from './signer-read.js';

export const MAX_REQUESTERS = 100;

export const hubFetchSignersByFid = operation({
  id: 'hub-fetch-signers-by-fid',
  path: '/v1/signersByFid',
  tags: ['Hub Signers'],
  title: 'List active keys of an account',
  summary:
    'Own extension: list the active keys of an account, those registered onchain first, in the order of the chain, then ' +
    'those registered by messages, by key.',
  cost: { fixed: 200 },
  query: Type.Object({
    fid: fidQuery,
    ...listPageQuery,
    requesterFids: Type.Optional(
      commaSeparated(fidQuery, {
        maxItems: MAX_REQUESTERS,
        repeatable: true,
        description: `Apps whose last nonce is answered, at most ${MAX_REQUESTERS}.`,
      }),
    ),
  }),
  parameters: {
    fid: { description: 'The account that the keys sign for.', example: 1 },
    reverse: { description: 'Turns both parts of the list around; the keys registered onchain still come first.' },
  },
  response: HubSignersResponse,
  handle: async ({ query }, { db }) => {
    const { fid, pageSize = MAX_LIST_PAGE, reverse, requesterFids } = query;
    const pageToken = readTokenText(query.pageToken);
    const page = await listSigners(db, { fid, pageSize, pageToken, reverse, requesterFids });
    const { signers, nextPageToken, requesterFidNonces, ...counts } = page;
    return renderedJson({
      signers: signers.map(signerJson),
      ...(nextPageToken === undefined ? {} : { nextPageToken: writeTokenText(nextPageToken) }),
      ...counts,
      ...(requesterFids === undefined ? {} : { requesterFidNonces }),
    });
  },
});
