import { checkedAddress } from '../../onchain/checked-address.js';
import { ensureCollection, requireOwner } from '../../onchain/nft/collection-owner.js';
import { UploadTokenMetadataReqBody, UploadTokenMetadataResponse } from '../../schema/onchain/nft-metadata.js';
import { upsertTokenMetadata } from '../../store/onchain/token-metadata.js';
import { walletIdHeader } from '../http/idempotency-key.js';
import { operation } from '../http/operation.js';
import { isTokenId } from './token-id.js';
import { tokenUriOf } from './token-uri.js';

type Uploaded = UploadTokenMetadataResponse['tokens'][number];

export const uploadTokenMetadata = operation({
  id: 'upload-token-metadata',
  method: 'POST',
  path: '/v2/social/nft/metadata/token',
  tags: ['NFTs'],
  title: 'Set token metadata',
  summary: 'Keep metadata of tokens of a contract that the wallet owns; what was kept of a token before is replaced.',
  cost: { base: 10, each: 1, of: 'tokens', in: 'body' },
  waitsOutside: true,
  scope: 'wallet',
  headers: walletIdHeader,
  body: UploadTokenMetadataReqBody,
  bodyExample: {
    contract_address: `0x${'11'.repeat(20)}`,
    network: 'base',
    tokens: [{ token_id: '1', metadata: { name: 'First of all', image: 'https://image.example/1.png' } }],
  },
  bodyExampleNote: 'Put the address of a collection that you deployed into `contract_address`.',
  response: UploadTokenMetadataResponse,
  errors: [400, 403, 404, 500],
  invalidBody: 'validation',
  handle: async ({ body, caller, headers }, { db, wallets, networks, clock, publicUrl }) => {
    const wallet = await wallets.use(caller.organizationId, headers['x-wallet-id']);
    const { network } = body;
    const property = 'contract_address';
    const address = checkedAddress(body.contract_address, property);
    await requireOwner(networks.client(network, 'network'), { contract: address, network, property }, wallet);
    const { organizationId } = caller;
    const collectionId = await ensureCollection({ db, clock }, { network, address, organizationId, wallet });
    const seen = new Set<string>();
    const errors = body.tokens.map(({ token_id: id }): string | undefined => {
      if (!isTokenId(id))
        return 'token_id must be a whole number from 0 to 2^256 - 1, in decimal digits without leading zeros.';
      if (seen.has(id)) return 'This token_id is in the list before: send each token once.';
      seen.add(id);
      return undefined;
    });
    const kept = body.tokens.filter((_, index) => errors[index] === undefined);
    const tokens = kept.map(({ token_id: tokenId, metadata }) => ({ tokenId, metadata }));
    await upsertTokenMetadata(db, collectionId, tokens, new Date(clock()));
    const base = tokenUriOf(publicUrl, collectionId);
    return {
      tokens: body.tokens.map(({ token_id }, index): Uploaded => {
        const error = errors[index];
        return error === undefined ? { token_id, uri: `${base}${token_id}` } : { token_id, error };
      }),
    };
  },
});
