import { EXAMPLE_HASH, EXAMPLE_SIGNER_UUID } from './example.js';

const signer_uuid = EXAMPLE_SIGNER_UUID;
const follow = { signer_uuid, target_fids: [2, 3] };
const like = { signer_uuid, reaction_type: 'like', target: EXAMPLE_HASH.reply, target_author_fid: 2 };
const webhook_id = '00000000-0000-4000-8000-000000000000';
const hook = {
  name: 'Mentions',
  url: 'https://bot.example/events',
  subscription: { 'cast.created': { mentioned_fids: [1] } },
};
const mute = { fid: 1, muted_fid: 299 };
const block = { signer_uuid, blocked_fid: 299 };
const ban = { fids: [299] };
const channel = { signer_uuid, channel_id: 'dev' };
const invite = { ...channel, fid: 2, role: 'member' };
/** Claim of the fifth wallet of account 1, as printed by `castellan account verify-address 1`. */
const claim = {
  signer_uuid,
  address: '0xe59901686d63144039fb0941ee32072242b4bfce',
  block_hash: `0x${'01'.repeat(32)}`,
  eth_signature:
    '0x8bf75b194c869a87af803b9f6b23057950fbc0e18c2729baa4051c0ec5c47d682ce313fa2acc4dc9394de2ce622ff12b986238cdbcbb195aa29fdab52c80a3751c',
};
/** Placeholder for a signature over a deadline: a real one would expire. */
const signature = `0x${'00'.repeat(65)}`;
const keyRequest = { app_fid: 2, deadline: 1_800_000_000, signature };
const collection = { contract_address: `0x${'11'.repeat(20)}`, network: 'base' };

/**
 * A request body for each operation that takes JSON. A development service with the sample network accepts them
 * unchanged, except those in `INCOMPLETE_BODIES`.
 */
export const BODY_EXAMPLES: Readonly<Record<string, object>> = {
  'update-user': { signer_uuid, bio: 'Keeper of the harbor.', location: { latitude: 52.52, longitude: 13.4 } },
  'register-account': {
    fid: 1,
    requested_user_custody_address: `0x${'11'.repeat(20)}`,
    deadline: 1_800_000_000,
    signature,
    fname: 'somebody',
    metadata: { display_name: 'Somebody', bio: 'A person who casts.' },
  },
  'register-account-onchain': {
    registration: {
      custody_address: `0x${'11'.repeat(20)}`,
      recovery_address: `0x${'11'.repeat(20)}`,
      deadline: 1_800_000_000,
      signature,
    },
    idem: 'registration-17',
  },
  'buy-storage': { fid: 1, units: 1, idem: 'storage-17' },
  'publish-verification': claim,
  'delete-verification': claim,
  'publish-cast': { signer_uuid, text: 'Hello @lantern, sent from the reference.', channel_id: 'dev' },
  'delete-cast': { signer_uuid, target_hash: EXAMPLE_HASH.spare },
  'follow-channel': channel,
  'unfollow-channel': channel,
  'invite-channel-member': invite,
  'respond-channel-invite': { signer_uuid, channel_id: 'food', role: 'member', accept: true },
  'remove-channel-member': invite,
  'follow-user': follow,
  'unfollow-user': follow,
  'publish-reaction': like,
  'delete-reaction': like,
  'mark-notifications-as-seen': { signer_uuid },
  'publish-mute': mute,
  'delete-mute': mute,
  'publish-bans': ban,
  'delete-bans': ban,
  'publish-block': block,
  'delete-block': block,
  'register-signed-key': { ...keyRequest, signer_uuid: '00000000-0000-4000-8000-000000000000' },
  'register-signed-key-for-developer-managed-signer': { ...keyRequest, public_key: `0x${'22'.repeat(32)}` },
  'register-signed-key-for-developer-managed-auth-address': { ...keyRequest, address: `0x${'33'.repeat(20)}` },
  'publish-social-action': {
    signer_uuid,
    base_url: 'https://mini-app.example',
    action: { type: 'share', payload: { text: 'Hello' } },
  },
  'app-host-post-event': { signer_uuid, app_domain: 'mini-app.example', fid: 1, event: 'notifications_enabled' },
  'app-host-notify': {
    notificationId: 'daily-2026-11-22',
    title: 'Your move',
    body: 'Somebody answered you.',
    targetUrl: 'https://mini-app.example/game/1',
    tokens: ['TOKEN'],
  },
  'publish-frame-notifications': {
    notification: {
      title: 'Your move',
      body: 'Somebody answered you.',
      target_url: 'https://mini-app.example/game/1',
      uuid: '6d0c1f0e-2b4d-4f5a-9c83-1f1a3c6f9c11',
    },
    target_fids: [1, 2],
    filters: { exclude_fids: [3], minimum_user_score: 0.5 },
  },
  'miniapp-event': { header: 'eyJmaWQiOjF9', payload: 'eyJldmVudCI6Im1pbmlhcHBfYWRkZWQifQ', signature: 'AAAA' },
  'miniapp-opened': { notification_id: '00000000-0000-4000-8000-000000000000', fid: 1, client_fid: 2 },
  'publish-message-to-social': { data: {}, hash: '0x', hashScheme: 'HASH_SCHEME_BLAKE3', signature: '', signer: '0x' },
  'deploy-erc721': { name: 'First', symbol: 'FIRST', network: 'base' },
  'mint-nft': { ...collection, recipients: [{ fid: 1, quantity: 1 }] },
  'send-fungibles-to-users': { network: 'base', recipients: [{ fid: 1, amount: 0.0001 }] },
  'deploy-fungible': {
    owner: `0x${'44'.repeat(20)}`,
    name: 'Harbor Point',
    symbol: 'HARBOR',
    'metadata[description]': 'Points of the harbor.',
  },
  'upload-token-metadata': {
    ...collection,
    tokens: [{ token_id: '1', metadata: { name: 'First of all', image: 'https://image.example/1.png' } }],
  },
  'generate-image': { prompt: 'A lighthouse at dawn, in flat colours.', width: 512, height: 512 },
  'create-x402-signature': {
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
  'create-x402-siwx': { resource: 'https://weather.example/account' },
  'create-transaction-pay-frame': {
    transaction: {
      to: {
        network: 'base',
        address: `0x${'44'.repeat(20)}`,
        token_contract_address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
        amount: 5,
      },
    },
    config: { line_items: [{ name: 'Tomato seeds', description: 'A bag of 20.' }] },
  },
  upgrade: { newPlan: 'starter' },
  'publish-webhook': hook,
  'update-webhook': { ...hook, webhook_id },
  'update-webhook-active-status': { webhook_id, active: 'false' },
  'delete-webhook': { webhook_id },
  'replay-webhook': { webhook_id, failed: true },
  'test-webhook': { webhook_id, type: 'cast.created' },
};

/** Bodies that only show the shape, with the values to fill in. */
export const INCOMPLETE_BODIES: Readonly<Record<string, string>> = {
  'register-account': 'Reserve an account first, and let the person sign its transfer (docs/accounts.md).',
  'register-account-onchain': 'Let the person sign the registration (docs/accounts.md).',
  'register-signed-key': 'Sign one of your own: on the local network `castellan account sign-key` prints a body.',
  'register-signed-key-for-developer-managed-signer':
    'Sign one of your own: on the local network `castellan account sign-key` prints a body.',
  'register-signed-key-for-developer-managed-auth-address':
    'Sign one of your own: on the local network `castellan account sign-key` prints a body.',
  'publish-social-action': 'Put the address of an app that takes actions into `base_url`.',
  'app-host-post-event': 'Put the domain of a mini app into `app_domain`.',
  'app-host-notify': 'Put tokens that the mini app was given into `tokens`.',
  'publish-frame-notifications': 'Give the app a mini app, and put an address on its domain into `target_url`.',
  'miniapp-event': 'Let a host sign an event of a user.',
  'miniapp-opened':
    'Put the id of a campaign of the app into `notification_id`, and a user whom it reached into `fid`.',
  'publish-message-to-social': 'Put in a message of your own, as `Message.toJSON` of `@farcaster/core` writes it.',
  'mint-nft': 'Put the address of a collection that you deployed into `contract_address`.',
  'upload-token-metadata': 'Put the address of a collection that you deployed into `contract_address`.',
  'create-transaction-pay-frame':
    'Put your address into `address`, and a token of a configured network into `token_contract_address`.',
  'update-webhook': 'Put the id of a webhook of yours into `webhook_id`.',
  'update-webhook-active-status': 'Put the id of a webhook of yours into `webhook_id`.',
  'delete-webhook': 'Put the id of a webhook of yours into `webhook_id`.',
  'replay-webhook': 'Put the id of a webhook of yours into `webhook_id`.',
  'test-webhook': 'Put the id of a webhook of yours into `webhook_id`.',
};
