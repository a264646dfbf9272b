import { MAX_FIDS } from '../ban/ban-body.js';
import type { Cost } from './cost.js';

/**
 * Cost of each operation in compute units, according to its work: a response has at most 16 KB for each unit
 * (test/response-size-per-unit.test.ts). It is published in `/docs`, in `openapi.json` and in the response header
 * `x-compute-units`.
 *
 * Reads of one row cost 1 to 5, lists cost by the result, a page of hub messages 200, and writes 10 to 150. Operations
 * without an API key are free, and so is billing: an organization without units must be able to upgrade.
 */
export const costTable = {
  'health-live': { fixed: 0 },
  'health-ready': { fixed: 0 },

  billing: { fixed: 0 },
  usage: { fixed: 0 },
  'upgrade-preview': { fixed: 0 },
  upgrade: { fixed: 0 },
  'payment-webhook': { fixed: 0 },

  // Users: a profile costs 1, plus the cost of the lookup.
  'fetch-bulk-users': { each: 1, of: 'fids' },
  'fetch-bulk-users-by-eth-or-sol-address': { each: 2, of: 'addresses' },
  'lookup-user-by-username': { fixed: 2 },
  'lookup-user-by-custody-address': { fixed: 2 },
  'lookup-users-by-x-username': { fixed: 2 },
  'fetch-verifications': { fixed: 2 },
  'search-user': { each: 10, of: 'limit' },
  'fetch-users-by-location': { each: 2, of: 'limit' },
  'get-user-best-friends': { each: 4, of: 'limit' },
  // Up to 100 records.
  'fetch-user-interactions': { fixed: 400 },
  // One message per changed member.
  'update-user': { fixed: 20 },
  'publish-verification': { fixed: 10 },
  'is-fname-available': { fixed: 5 },
  'lookup-user-storage-allocations': { fixed: 2 },
  // Counts all messages of an account.
  'lookup-user-storage-usage': { fixed: 20 },
  // Transactions of a wallet.
  'buy-storage': { fixed: 150 },
  'get-fresh-account-FID': { fixed: 150 },
  'register-account': { fixed: 150 },
  'register-account-onchain': { fixed: 150 },
  'delete-verification': { fixed: 10 },

  // Casts: 4 each, with author, embeds and counts.
  'lookup-cast-by-hash-or-url': { fixed: 4 },
  'fetch-bulk-casts': { each: 4, of: 'casts' },
  'fetch-cast-quotes': { each: 4, of: 'limit' },
  // Direct replies cost twice, because each comes with its own replies. Each further level has up to 100 casts, and so
  // have the parent casts.
  'lookup-cast-conversation': {
    base: 4,
    each: 8,
    of: 'limit',
    more: [
      { each: 100, of: 'reply_depth', above: 2 },
      { each: 100, of: 'include_chronological_parent_casts' },
    ],
  },
  // A call of a language model, which costs the operator money.
  'lookup-cast-conversation-summary': { fixed: 100 },
  'search-casts': { each: 10, of: 'limit' },
  // Up to 200,000 casts are counted, in the time of a full page of a search.
  'fetch-cast-metrics': { fixed: 200 },
  'publish-cast': { fixed: 150 },
  'delete-cast': { fixed: 10 },

  'fetch-feed': { each: 4, of: 'limit' },
  'fetch-user-following-feed': { each: 4, of: 'limit' },
  'fetch-feed-by-channel-ids': { each: 4, of: 'limit' },
  'fetch-feed-by-parent-urls': { each: 4, of: 'limit' },
  // A search.
  'fetch-feed-by-topic': { each: 10, of: 'limit' },
  'fetch-casts-for-user': { each: 4, of: 'limit' },
  'fetch-replies-and-recasts-for-user': { each: 4, of: 'limit' },
  // Always ten casts.
  'fetch-popular-casts-by-user': { fixed: 40 },

  'fetch-user-followers': { each: 2, of: 'limit' },
  'fetch-user-following': { each: 2, of: 'limit' },
  'fetch-user-reciprocal-followers': { each: 2, of: 'limit' },
  'fetch-relevant-followers': { fixed: 20 },
  'fetch-follow-suggestions': { each: 4, of: 'limit' },
  // Another server is called.
  'fetch-embedded-url-metadata': { fixed: 10 },

  'lookup-channel': { fixed: 2 },
  'fetch-bulk-channels': { each: 2, of: 'ids' },
  'fetch-all-channels': { each: 2, of: 'limit' },
  'search-channels': { each: 4, of: 'limit' },
  'fetch-trending-channels': { each: 2, of: 'limit' },
  'list-trending-topics': { each: 2, of: 'limit' },
  'fetch-users-active-channels': { each: 2, of: 'limit' },
  'fetch-user-channels': { each: 2, of: 'limit' },
  'fetch-followers-for-a-channel': { each: 1, of: 'limit' },
  'fetch-relevant-followers-for-a-channel': { fixed: 20 },
  'fetch-channel-members': { each: 2, of: 'limit' },
  'fetch-user-channel-memberships': { each: 2, of: 'limit' },
  'fetch-channel-invites': { each: 2, of: 'limit' },

  'fetch-frame-catalog': { each: 2, of: 'limit' },
  'search-frames': { each: 4, of: 'limit' },
  // Up to 25 mini apps, each with its author, three accounts in full and fifty by name.
  'fetch-relevant-frames': { fixed: 150 },

  'follow-channel': { fixed: 10 },
  'unfollow-channel': { fixed: 10 },
  'invite-channel-member': { fixed: 10 },
  'respond-channel-invite': { fixed: 10 },
  'remove-channel-member': { fixed: 10 },

  'follow-user': { each: 10, of: 'target_fids', in: 'body' },
  'unfollow-user': { each: 10, of: 'target_fids', in: 'body' },

  'fetch-user-reactions': { each: 2, of: 'limit' },
  'fetch-cast-reactions': { each: 2, of: 'limit' },
  'publish-reaction': { fixed: 10 },
  'delete-reaction': { fixed: 10 },

  'fetch-all-notifications': { each: 4, of: 'limit' },
  'fetch-channel-notifications-for-user': { each: 4, of: 'limit' },
  'fetch-notifications-by-parent-url-for-user': { each: 4, of: 'limit' },
  'mark-notifications-as-seen': { fixed: 10 },

  // Deliveries cost nothing more.
  'publish-webhook': { fixed: 10 },
  'update-webhook': { fixed: 10 },
  'update-webhook-active-status': { fixed: 10 },
  'delete-webhook': { fixed: 10 },
  'lookup-webhook': { fixed: 2 },
  'fetch-webhooks': { fixed: 10 },
  'fetch-webhook-deliveries': { fixed: 10 },
  'replay-webhook': { fixed: 100 },
  'test-webhook': { fixed: 10 },
  'match-webhook': { fixed: 4 },
  // A client that comes back after a while has its history read.
  'stream-events': { fixed: 100 },
  'create-stream-ticket': { fixed: 10 },

  'publish-mute': { fixed: 10 },
  'delete-mute': { fixed: 10 },
  'fetch-mute-list': { each: 2, of: 'limit' },
  'publish-bans': { base: 10, each: 1, of: 'fids', in: 'body', most: MAX_FIDS },
  'delete-bans': { base: 10, each: 1, of: 'fids', in: 'body', most: MAX_FIDS },
  'fetch-ban-list': { each: 2, of: 'limit' },
  'publish-block': { fixed: 10 },
  'delete-block': { fixed: 10 },
  'fetch-block-list': { each: 2, of: 'limit' },

  // Signers: cheap, because apps poll them while users decide.
  'create-signer': { fixed: 10 },
  'register-signed-key': { fixed: 10 },
  'register-signed-key-for-developer-managed-signer': { fixed: 10 },
  'register-signed-key-for-developer-managed-auth-address': { fixed: 10 },
  'lookup-signer': { fixed: 1 },
  'lookup-developer-managed-signer': { fixed: 1 },
  'lookup-developer-managed-auth-address': { fixed: 1 },
  'fetch-signers': { fixed: 2 },
  'fetch-authorization-url': { fixed: 1 },
  'fetch-nonce': { fixed: 1 },

  // These call other services, with retries.
  'publish-social-action': { fixed: 20 },
  'app-host-post-event': { fixed: 20 },
  'app-host-get-event': { fixed: 2 },
  'app-host-get-user-state': { fixed: 2 },
  'app-host-get-user-notifications': { each: 1, of: 'limit' },
  'app-host-notify': { fixed: 0 },

  // Calls to hosts cost nothing more.
  'publish-frame-notifications': { fixed: 100 },
  'get-notification-campaign-stats': { each: 1, of: 'limit' },
  'fetch-notification-tokens': { each: 1, of: 'limit' },
  'miniapp-event': { fixed: 0 },
  'miniapp-opened': { fixed: 0 },

  // A message of any kind, casts included, that the caller has signed.
  'publish-message-to-social': { fixed: 100 },

  // Transactions are the most work: they are prepared, signed, broadcast and tracked until they are mined.
  'deploy-erc721': { fixed: 150 },
  'mint-nft': { each: 50, of: 'recipients', in: 'body' },
  'simulate-nft-mint': { fixed: 10 },
  'upload-token-metadata': { base: 10, each: 1, of: 'tokens', in: 'body' },
  'fetch-nft-metadata': { fixed: 0 },
  // The operator pays its model for each.
  'generate-image': { fixed: 150 },

  'create-x402-signature': { fixed: 20 },
  'create-x402-siwx': { fixed: 10 },

  'create-transaction-pay-frame': { fixed: 20 },
  'get-transaction-pay-frame': { fixed: 2 },

  // These call blockchain networks: for one wallet each, or for all verified addresses of a user.
  'get-wallet-balances': { each: 10, of: 'networks' },
  'fetch-user-balance': { each: 20, of: 'networks' },
  // Reads a contract of the chain for each address, and for each subscription of a list.
  'fetch-subscription-check': { base: 10, each: 1, of: 'addresses' },
  'fetch-subscribed-to-for-fid': { fixed: 100 },
  'fetch-subscriptions-for-fid': { fixed: 100 },
  // Up to 1,000 subscribers, each with its profile.
  'fetch-subscribers-for-fid': { fixed: 500 },
  'get-token-metadata': { fixed: 2 },
  'batch-get-token-metadata': { each: 2, of: 'addresses' },
  'fetch-fungible-trades': { fixed: 20 },
  'fetch-trending-fungibles': { fixed: 10 },
  'fetch-fungibles': { each: 2, of: 'fungibles' },
  // Balances of thousands of addresses.
  'fetch-relevant-fungible-owners': { fixed: 100 },
  'fetch-bulk-relevant-fungible-owners': { base: 100, each: 50, of: 'contract_addresses' },
  'deploy-fungible': { fixed: 150 },
  'send-fungibles-to-users': { each: 50, of: 'recipients', in: 'body' },

  // Hub: one message costs 2, a small set of one account 10, a page of up to a thousand messages 200.
  'hub-lookup-info': { fixed: 1 },
  'hub-lookup-cast-by-hash-and-fid': { fixed: 2 },
  'hub-lookup-reaction-by-id': { fixed: 2 },
  'hub-lookup-user-relation': { fixed: 2 },
  'hub-lookup-user-storage-limit': { fixed: 2 },
  'hub-lookup-on-chain-id-registry-event-by-address': { fixed: 2 },
  'hub-lookup-event': { fixed: 2 },
  'hub-fetch-username-proof-by-name': { fixed: 2 },
  'hub-fetch-username-proofs-by-fid': { fixed: 10 },
  'hub-fetch-user-data': { fixed: 10 },
  'hub-fetch-user-on-chain-signers-events': { fixed: 10 },
  'hub-fetch-users-casts': { fixed: 200 },
  'hub-fetch-casts-mentioning-user': { fixed: 200 },
  'hub-fetch-casts-by-parent': { fixed: 200 },
  'hub-fetch-cast-reactions': { fixed: 200 },
  'hub-fetch-user-reactions': { fixed: 200 },
  'hub-fetch-reactions-by-target': { fixed: 200 },
  'hub-fetch-user-following': { fixed: 200 },
  'hub-fetch-user-followers': { fixed: 200 },
  'hub-fetch-fids': { fixed: 200 },
  'hub-fetch-verifications-by-fid': { fixed: 200 },
  'hub-fetch-user-on-chain-events': { fixed: 200 },
  'hub-fetch-events': { fixed: 200 },
  'hub-publish-message': { fixed: 100 },
  'hub-validate-message': { fixed: 5 },
} as const satisfies Readonly<Record<string, Cost>>;
