import Type from 'typebox';
import { notFound } from '../../../error.js';
import { ED25519_KEY_BYTES } from '../../../protocol/limit.js';
import { HubSignerResponse } from '../../../schema/hub/signer.js';
import { operation } from '../../http/operation.js';
import { bytesOf, fidQuery } from '../parameter.js';
import { renderedJson } from '../rendered-json.js';
import { signerJson } from './signer-json.js';
import { findSigner } from './signer-read.js';

export const hubLookupSigner = operation({
  id: 'hub-lookup-signer',
  path: '/v1/signer',
  tags: ['Hub Signers'],
  title: 'Get an active key',
  summary: 'Own extension: read an active key of an account, registered onchain or by a message.',
  cost: { fixed: 2 },
  query: Type.Object({ fid: fidQuery, signer: Type.String() }),
  parameters: {
    fid: { description: 'The account that the key signs for.', example: 1 },
    signer: { description: 'Ed25519 public key, 0x and 64 hex digits.' },
  },
  response: HubSignerResponse,
  errors: [400, 404],
  handle: async ({ query: { fid, signer } }, { db }) => {
    const found = await findSigner(db, fid, bytesOf(signer, 'signer', ED25519_KEY_BYTES));
    if (found === undefined) throw notFound(`${signer} is no active signer of fid ${fid}.`, 'signer');
    return renderedJson({ signer: signerJson(found) });
  },
});
