import type { Address } from 'viem';
import { CreateX402SiwxReqBody, CreateX402SiwxResponse } from '../../schema/onchain/x402.js';
import { walletIdHeader } from '../http/idempotency-key.js';
import { operation } from '../http/operation.js';

export const createX402Siwx = operation({
  id: 'create-x402-siwx',
  method: 'POST',
  path: '/v2/signature/x402/siwx',
  tags: ['Onchain'],
  title: 'Sign in at a resource',
  summary: 'Create a Sign-In-With-X payload for an x402 resource with a managed wallet.',
  cost: { fixed: 10 },
  // The wallet signs here: no chain is asked.
  waitsOutside: () => false,
  scope: 'wallet',
  headers: walletIdHeader,
  body: CreateX402SiwxReqBody,
  bodyExample: { resource: 'https://weather.example/account' },
  response: CreateX402SiwxResponse,
  errors: [400, 401, 403, 500],
  handle: async ({ body, caller, headers }, { wallets, x402 }) => {
    const { resource, chainId = 8453 } = body;
    const wallet = await wallets.use(caller.organizationId, headers['x-wallet-id']);
    const { appId, keyId: apiKeyId } = caller;
    const { message, signature, issuedAt } = await x402.signIn({ appId, apiKeyId, wallet, resource, chainId });
    return { address: wallet.address.toLowerCase() as Address, message, signature, timestamp: issuedAt, chainId };
  },
});
