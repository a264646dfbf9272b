import { deployCollection } from '../../onchain/nft/collection.js';
import { DeployErc721ReqBody, DeployErc721Response } from '../../schema/onchain/nft-deploy.js';
import { onceForKey, walletHeaders } from '../http/idempotency-key.js';
import { operation } from '../http/operation.js';
import { tokenUriOf } from './token-uri.js';

export const deployErc721 = operation({
  id: 'deploy-erc721',
  method: 'POST',
  path: '/v2/social/nft/deploy/erc721/',
  tags: ['NFTs'],
  title: 'Deploy an NFT collection',
  summary: 'Deploy an ERC-721A (series) collection from a managed wallet, which owns it, and wait until it is there.',
  cost: { fixed: 150 },
  scope: 'wallet',
  waitsOutside: true,
  headers: walletHeaders,
  body: DeployErc721ReqBody,
  bodyExample: { name: 'First', symbol: 'FIRST', network: 'base' },
  response: DeployErc721Response,
  errors: [400, 403, 404, 409, 500, 504],
  handle: (request, services) =>
    onceForKey(services, request, 'deploy-erc721', async (idempotencyRecord) => {
      const { body, caller, headers } = request;
      const { db, sender, wallets, networks, clock, publicUrl, responseTimeouts } = services;
      const wallet = await wallets.use(caller.organizationId, headers['x-wallet-id']);
      const { network, name, symbol, ...rest } = body;
      networks.client(network, 'network');
      const { address, hash } = await deployCollection(
        { db, sender, clock },
        {
          organizationId: caller.organizationId,
          wallet,
          network,
          plan: { name, symbol, ...rest },
          tokenUri: (id) => tokenUriOf(publicUrl, id),
          idempotencyRecord: idempotencyRecord,
          timeoutMs: responseTimeouts.receipt,
        },
      );
      const collection = { address, name, network, symbol, transaction_hash: hash, type: 'ERC721' as const };
      return { collection, object: 'nft_collection' as const };
    }),
});
