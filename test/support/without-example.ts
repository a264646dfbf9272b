import { operations } from '../../src/api/operation-list.js';

/** Operations whose requests need something that no example can hold: a nonce, a contract of one's own, a hub's bytes. */
export const WITHOUT_EXAMPLE = new Set([
  'fetch-signers',
  // Needs the cookie of a browser; test/console-session.test.ts has one.
  'fetch-session',
  'fetch-authorization-url',
  'lookup-developer-managed-auth-address',
  'simulate-nft-mint',
  'fetch-nft-metadata',
  'lookup-webhook',
  'fetch-webhook-deliveries',
  'match-webhook',
  // Needs a language model.
  'lookup-cast-conversation-summary',
  // Goes on until it is closed; test/stream.test.ts reads it.
  'stream-events',
  'deploy-erc721',
  'get-fresh-account-FID',
  'buy-storage',
  'generate-image',
  'get-transaction-pay-frame',
  'payment-webhook',
  'hub-publish-message',
  'hub-publish-messages',
  'hub-validate-message',
  // Need the key of an account, or a channel of the protocol, which the sample network has none of.
  'hub-lookup-signer',
  'hub-lookup-channel-owner',
  ...operations.flatMap(({ id, query }) => (query && 'channelId' in query.properties ? [id] : [])),
  // There is no local chain in this test.
  'get-wallet-balances',
  'fetch-user-balance',
  'get-token-metadata',
  'batch-get-token-metadata',
  // test/stp-local.test.ts asks a local chain.
  'fetch-subscription-check',
  'fetch-subscribed-to-for-fid',
  'fetch-subscribers-for-fid',
  'fetch-subscriptions-for-fid',
  'fetch-fungibles',
  'fetch-relevant-fungible-owners',
  'fetch-bulk-relevant-fungible-owners',
  'fetch-fungible-trades',
  'fetch-trending-fungibles',
  // Need the token of an earlier answer; test/sign-in-relay.test.ts and test/quick-auth.test.ts have one.
  'fetch-sign-in',
  'verify-jwt',
  // Need a wallet.
  'create-x402-signature',
  'create-x402-siwx',
  'send-fungibles-to-users',
  'deploy-fungible',
  ...operations.flatMap(({ id, bodyExampleNote }) => (bodyExampleNote === undefined ? [] : [id])),
]);
