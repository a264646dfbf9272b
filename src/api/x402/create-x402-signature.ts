import { invalidField } from '../../error.js';
import { PUBLIC_CHAINS } from '../../onchain/network.js';
import {
  CreateX402SignatureReqBody,
  CreateX402SignatureResponse,
  type X402Requirement,
} from '../../schema/onchain/x402.js';
import { onceForKey, walletHeaders } from '../http/idempotency-key.js';
import { operation } from '../http/operation.js';

/** Each requirement costs a query while the wallet is locked; the contract has no bound. */
const MAX_REQUIREMENTS = 20;

/**
 * What a payment of x402 version 2 has besides, in its words: the chosen `PaymentRequirements`, which a facilitator
 * compares with those of the server, and the resource.
 */
const viewSecondVersion = (requirement: X402Requirement): object => {
  const { scheme, network, maxAmountRequired, asset, payTo, maxTimeoutSeconds, extra } = requirement;
  const { resource: url, description, mimeType } = requirement;
  return {
    accepted: {
      scheme,
      network: `eip155:${PUBLIC_CHAINS[network].id}`,
      amount: maxAmountRequired,
      asset,
      payTo,
      maxTimeoutSeconds,
      extra: extra ?? {},
    },
    resource: { url, description, ...(mimeType !== undefined && { mimeType }) },
  };
};

export const createX402Signature = operation({
  id: 'create-x402-signature',
  method: 'POST',
  path: '/v2/signature/x402/',
  tags: ['Onchain'],
  title: 'Sign a payment for a resource',
  summary: 'Sign a payment for an x402 resource with a managed wallet.',
  cost: { fixed: 20 },
  scope: 'wallet',
  waitsOutside: true,
  headers: walletHeaders,
  body: CreateX402SignatureReqBody,
  bodyExample: {
    payment_requirements: {
      x402Version: 1,
      accepts: [
        {
          scheme: 'exact',
          network: 'base',
          maxAmountRequired: '10000',
          asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
          payTo: `0x${'44'.repeat(20)}`,
          resource: 'https://weather.example/tomorrow',
          description: 'The weather of tomorrow',
          maxTimeoutSeconds: 60,
          extra: { name: 'USD Coin', version: '2' },
        },
      ],
    },
  },
  response: CreateX402SignatureResponse,
  errors: [400, 401, 403, 409, 500],
  handle: async ({ body, caller, headers }, services) => {
    const { payment_requirements } = body;
    const { x402Version, accepts } = payment_requirements;
    if (accepts.length > MAX_REQUIREMENTS) {
      const property = 'payment_requirements.accepts';
      throw invalidField(
        property,
        `${property} must have at most ${MAX_REQUIREMENTS} requirements: send those that suit.`,
      );
    }
    const wallet = await services.wallets.use(caller.organizationId, headers['x-wallet-id']);
    // Clients add members about the request, which may differ when they repeat it.
    const request = { caller, headers, body: { payment_requirements } };
    const authorize = async (idempotencyRecord: Parameters<Parameters<typeof onceForKey>[3]>[0]) => {
      const { appId, keyId: apiKeyId } = caller;
      const payment = { appId, apiKeyId, wallet, requirements: accepts, idempotencyRecord };
      const { index, authorization, signature } = await services.x402.authorize(payment);
      const requirement = accepts[index] as X402Requirement;
      const { value, validAfter, validBefore, ...members } = authorization;
      return {
        x402Version,
        scheme: requirement.scheme,
        network: requirement.network,
        payload: {
          signature,
          authorization: {
            ...members,
            value: value.toString(),
            validAfter: validAfter.toString(),
            validBefore: validBefore.toString(),
          },
        },
        ...(x402Version === 2 && viewSecondVersion(requirement)),
      };
    };
    // The answer is never stored, because its signature can be spent: the stored authorization is signed again.
    return onceForKey(services, request, 'create-x402-signature', authorize, () => false);
  },
});
