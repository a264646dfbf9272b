import { createHash } from 'node:crypto';
import Type from 'typebox';
import { invalidField } from '../../error.js';
import { deployToken } from '../../onchain/fungible/deploy.js';
import type { UsableWallet } from '../../onchain/transaction/wallet.js';
import { DeployFungibleReqBody, DeployFungibleResponse } from '../../schema/onchain/fungible-deploy.js';
import { onceForKey, walletHeaders } from '../http/idempotency-key.js';
import { operation } from '../http/operation.js';
import type { Services } from '../http/service.js';
import { addressMedia } from '../media/store-media.js';
import { descriptionOf, MEDIA, mediaOf, ownerOf } from './token-form.js';

/** Of the whole form. */
const MAX_BYTES = 10 * 1024 * 1024;
const DECIMALS = 18;

const headers = Type.Object({
  'x-wallet-id': Type.Optional(
    Type.String({ description: "Wallet that pays; without it the operator's does, if there is one." }),
  ),
  'idempotency-key': walletHeaders.properties['idempotency-key'],
});

/** @returns the wallet that pays, and how many tokens a day the app may have from it if it is the operator's */
const payerOf = async (
  { wallets, tokenDeployments }: Pick<Services, 'wallets' | 'tokenDeployments'>,
  organizationId: string,
  walletId: string | undefined,
): Promise<{ readonly wallet: UsableWallet; readonly maxPerDay: number | undefined }> => {
  if (walletId !== undefined) return { wallet: await wallets.use(organizationId, walletId), maxPerDay: undefined };
  const operators = tokenDeployments.walletId;
  const wallet = operators === undefined ? undefined : await wallets.find(operators);
  if (wallet) return { wallet, maxPerDay: tokenDeployments.maxPerDay };
  const message =
    'No wallet pays for it: send x-wallet-id with a wallet of your organization, or ask the operator of this service to ' +
    'set CASTELLAN_TOKEN_DEPLOYER_WALLET.';
  throw invalidField('x-wallet-id', message);
};

export const deployFungible = operation({
  id: 'deploy-fungible',
  method: 'POST',
  path: '/v2/fungible/',
  tags: ['Onchain'],
  title: 'Create a token',
  summary: 'Create an ERC-20 token with a fixed supply of 1,000,000,000, all of which its owner gets.',
  cost: { fixed: 150 },
  scope: 'wallet',
  waitsOutside: true,
  headers,
  isForm: true,
  maxBodyBytes: MAX_BYTES,
  body: DeployFungibleReqBody,
  bodyExample: {
    owner: `0x${'44'.repeat(20)}`,
    name: 'Harbor Point',
    symbol: 'HARBOR',
    'metadata[description]': 'Points of the harbor.',
  },
  response: DeployFungibleResponse,
  errors: [400, 409, 500],
  handle: async ({ body, form, caller, headers: sent }, services) => {
    const { db, sender, networks, clock, responseTimeouts } = services;
    if ('factory' in form.fields) {
      // Without the name of the launchpad, which is another one in the caller's dialect.
      const message = 'This service has no launchpads: leave factory out to get a token of its own contract.';
      throw invalidField('factory', message);
    }
    const owner = ownerOf(body);
    const description = descriptionOf(body);
    const media = mediaOf(body, form);
    const { wallet, maxPerDay } = await payerOf(services, caller.organizationId, sent['x-wallet-id']);
    const { network = 'base' } = body;
    networks.client(network, 'network');
    const file = media && 'bytes' in media ? { ...media, property: MEDIA } : undefined;
    // The bytes of the file belong to what a key stands for.
    const digest = file && createHash('sha256').update(file.bytes).digest('hex');
    const request = {
      caller,
      // Not the id of the operator's wallet, which may change between a request and its repetition.
      headers: { ...sent, 'x-wallet-id': sent['x-wallet-id'] ?? 'operator' },
      body: { ...form.fields, ...(digest && { [MEDIA]: digest }) },
    };
    return onceForKey(services, request, 'deploy-fungible', async (idempotencyRecord) => {
      const { address, mediaUrl } = await deployToken(
        { db, sender, clock },
        {
          appId: caller.appId,
          wallet,
          maxPerDay,
          network,
          owner,
          description,
          media: file ? addressMedia(services, caller, file) : media && 'url' in media ? media : undefined,
          idempotencyRecord,
          timeoutMs: responseTimeouts.receipt,
        },
      );
      const { name, symbol } = description;
      const described = { object: 'fungible', name, symbol, address, decimals: DECIMALS };
      return { contract: { fungible: { ...described, ...(mediaUrl !== null && { media: mediaUrl }) } } };
    });
  },
});
