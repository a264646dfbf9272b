import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { someone } from '../support/nft.js';
import { USDC } from '../support/x402.js';
import { type Case, casesOf } from './case.js';
import { ofPayer, type PayEnvironment, withWallet } from './pay-environment.js';

const RESOURCE = 'https://weather.example/tomorrow';

/** @param version of x402 */
const terms = (version: 1 | 2, more: object = {}): never =>
  ({
    payment_requirements: {
      x402Version: version,
      accepts: [
        {
          scheme: 'exact',
          network: 'base',
          maxAmountRequired: '10000',
          asset: USDC,
          payTo: someone(1),
          resource: RESOURCE,
          description: 'The weather of tomorrow',
          maxTimeoutSeconds: 60,
          ...more,
        },
      ],
    },
  }) as never;

/** Payments and sign-ins with a wallet. */
export const x402Cases: readonly Case<PayEnvironment>[] = casesOf<PayEnvironment>()(
  {
    id: 'create-x402-signature',
    does: 'signs a payment, one for a key',
    call: (clients, environment) =>
      ofPayer(clients, environment).api.createX402Signature({
        xApiKey: clients.key,
        createX402SignatureRequest: terms(1),
      }),
    look: async (clients, environment) => {
      const { api } = ofPayer(clients, environment, { 'idempotency-key': randomUUID() });
      const more = {
        mimeType: 'application/json',
        outputSchema: { type: 'object' },
        extra: { name: 'USD Coin', version: '2' },
      };
      const request = { xApiKey: clients.key, createX402SignatureRequest: terms(2, more) };
      const first = await api.createX402Signature(request);
      expect(await api.createX402Signature(request)).toEqual(first);
      expect(first).toMatchObject({ x402Version: 2, payload: { authorization: { value: '10000' } } });
    },
    errors: {
      403: (clients, { nft }) =>
        withWallet(clients, nft.otherAccount.wallet.id).api.createX402Signature({
          xApiKey: clients.key,
          createX402SignatureRequest: terms(1),
        }),
      409: async (clients, environment) => {
        const { api } = ofPayer(clients, environment, { 'idempotency-key': randomUUID() });
        await api.createX402Signature({ xApiKey: clients.key, createX402SignatureRequest: terms(1) });
        return api.createX402Signature({
          xApiKey: clients.key,
          createX402SignatureRequest: terms(1, { maxAmountRequired: '10001' }),
        });
      },
    },
  },
  {
    id: 'create-x402-siwx',
    does: 'signs in at a resource',
    call: (clients, environment) =>
      ofPayer(clients, environment).api.createX402Siwx({
        xApiKey: clients.key,
        createX402SiwxRequest: { resource: RESOURCE },
      }),
    look: async (clients, environment) => {
      const { api } = ofPayer(clients, environment);
      const { message, chainId } = await api.createX402Siwx({
        xApiKey: clients.key,
        createX402SiwxRequest: { resource: RESOURCE, chainId: 84_532 as never },
      });
      expect([chainId, message]).toEqual([84_532, expect.stringContaining('weather.example wants you to sign in')]);
    },
    errors: {
      403: (clients, { nft }) =>
        withWallet(clients, nft.otherAccount.wallet.id).api.createX402Siwx({
          xApiKey: clients.key,
          createX402SiwxRequest: { resource: RESOURCE },
        }),
    },
  },
);
