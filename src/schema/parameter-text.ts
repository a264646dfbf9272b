import { EXAMPLE_HASH, EXAMPLE_SIGNER_UUID, EXAMPLE_VERIFIED_ADDRESS as verified } from './example.js';
import { ONCHAIN_PARAMETERS } from './onchain-parameter-text.js';
import type { ParameterText, ParameterTexts } from './parameter-text-type.js';

/** Parameters with the same meaning in all operations, by name. */
export const COMMON_PARAMETERS: ParameterTexts = {
  viewer_fid: {
    description:
      'The account that looks at the results: those whom it muted or blocked, or who blocked it, are left out, and `viewer_context` says what it liked and follows.',
    example: 3,
  },
  limit: { description: 'The most results on one page.' },
  cursor: { description: '`next.cursor` of the previous page; absent for the first page.' },
  identifier: { example: EXAMPLE_HASH.root },
  type: { description: 'Whether `identifier` is the `hash` of a cast or its web address (`url`).', example: 'hash' },
  webhook_id: {
    description: 'The webhook, one of the calling app.',
    example: '00000000-0000-4000-8000-000000000000',
  },
  dbstats: { example: true },
  shard_id: { example: 1 },
};

const author = (what: string): ParameterText => ({ description: what, example: 1 });
const hubAuthor: ParameterText = { description: 'The account whose messages are read.', example: 1 };
const hubHash = { description: 'Hash of the cast, 0x and 40 hex digits.', example: EXAMPLE_HASH.root };
const hubReactionType = {
  description: 'The kind of reaction: a like or a recast, by its name or by its number (1 or 2).',
  example: '1',
};
const hubLinkType = { description: 'The kind of link: `follow` or `block`.', example: 'follow' };
const channelType = {
  description: 'Whether channels are named by their `id` or by a URL (`parent_url`).',
  example: 'id',
};
const notified = author('The account that is notified; those whom it muted or blocked are left out.');
const miniAppNetworks = 'Keeps mini apps that require one of these networks, or name none; separated by commas.';
const channelUrl = 'https://castellan.example/~/channel/dev';
/** Custody address of account 1. */
const custody = '0x59e8a0b985bf1c3ae2c650874a03ee9c5ff89444';

/** Parameters by operation and name; they take precedence over common ones and over the schema's own description. */
export const OPERATION_PARAMETERS: Readonly<Record<string, ParameterTexts>> = {
  'is-fname-available': { fname: { description: 'The name, without a domain.', example: 'somebody' } },
  'lookup-user-storage-allocations': { fid: author('The account whose storage is listed.') },
  'lookup-user-storage-usage': { fid: author('The account whose storage is read.') },
  'get-transaction-pay-frame': {
    id: { description: 'The id of the page.', example: '00000000-0000-4000-8000-000000000000' },
  },
  'match-webhook': {
    hash: { description: 'Hash of the cast, 0x and 40 hex digits.', example: EXAMPLE_HASH.root },
    type: { description: 'The event of the cast that is explained.', example: 'cast.created' },
  },
  'stream-events': {
    types: { example: 'cast.created,follow.created' },
    subscription: { example: '{"cast.created":{"author_fids":[1],"text":"(?i)hello"}}' },
    since: { example: '0' },
  },
  'lookup-channel': {
    id: { description: 'Id of the channel, or any spelling of its URL.', example: 'dev' },
    type: channelType,
  },
  'fetch-bulk-channels': {
    ids: { description: 'Ids of the channels, or their URLs, at most 100, separated by commas.', example: 'dev,food' },
    type: channelType,
  },
  'search-channels': {
    q: {
      description:
        'A part of an id or a name. One or two letters find beginnings of words alone. A leading / is left out.',
      example: 'foo',
    },
  },
  'fetch-trending-channels': { time_window: { example: '7d' } },
  'fetch-users-active-channels': { fid: author('The account whose casts are looked at.') },
  'fetch-user-channels': { fid: author('The account that follows.') },
  'fetch-user-channel-memberships': { fid: { description: 'The member.', example: 4 } },
  'fetch-followers-for-a-channel': { id: { description: 'Id of the channel.', example: 'dev' } },
  'fetch-relevant-followers-for-a-channel': {
    id: { description: 'Id of the channel.', example: 'dev' },
    viewer_fid: { description: 'The account whose follows are relevant.', example: 3 },
  },
  'fetch-channel-members': {
    channel_id: { description: 'Id of the channel.', example: 'dev' },
    fid: { description: 'Keeps this account alone; the list is empty if it is no member.', example: 4 },
  },
  'fetch-channel-invites': {
    channel_id: { description: 'Keeps invites to this channel.', example: 'dev' },
    invited_fid: { description: 'Keeps invites of this account.' },
  },
  'fetch-bulk-users': {
    fids: { description: 'The accounts to read, at most 100, separated by commas.', example: '1,2,3' },
  },
  'fetch-bulk-users-by-eth-or-sol-address': {
    addresses: {
      description: 'Ethereum or Solana addresses, at most 350 together, separated by commas.',
      example: `${custody},${verified}`,
    },
    address_types: {
      description: 'How an address may belong to an account: as its custody, or verified by it. Both when absent.',
    },
  },
  'lookup-user-by-username': { username: { description: 'The name, without `@`.', example: 'harbor' } },
  'lookup-user-by-custody-address': {
    custody_address: { description: 'The Ethereum address that owns the account on chain.', example: custody },
  },
  'lookup-users-by-x-username': { x_username: { example: 'skiff' } },
  'search-user': {
    q: { description: 'The beginning of a username, or a fid; a leading `@` is left out.', example: 'har' },
  },
  'fetch-users-by-location': {
    latitude: { description: 'Degrees north of the equator; south is negative.', example: 52.52 },
    longitude: { description: 'Degrees east of Greenwich; west is negative.', example: 13.4 },
  },
  'fetch-verifications': { fid: author('The account whose verified addresses are listed.') },
  'fetch-user-interactions': {
    fids: { description: 'Two different accounts, separated by a comma.', example: '1,2' },
    type: {
      description: 'Keeps interactions of these kinds, separated by commas; all kinds when absent.',
      example: 'likes,replies',
    },
  },
  'get-user-best-friends': { fid: author('The account whose closest mutual contacts are listed.') },

  'fetch-embedded-url-metadata': {
    url: {
      description:
        'The address of a page, an image or a video; 2048 characters at most. It is fetched again after a day, or ' +
        '10 minutes after a failure.',
      example: 'http://127.0.0.1:3000/sample/article/blue-hour.html',
    },
  },
  'lookup-cast-by-hash-or-url': {
    viewer_fid: { description: 'The account that looks: adds `viewer_context` to the cast.' },
  },
  'fetch-bulk-casts': {
    casts: {
      description: 'Hashes of casts, separated by commas.',
      example: `${EXAMPLE_HASH.root},${EXAMPLE_HASH.reply}`,
    },
    viewer_fid: { description: 'The account that looks: adds `viewer_context` to each cast.' },
    sort_type: { description: 'The order of the casts; as they were asked for when absent.' },
  },
  'lookup-cast-conversation': {
    include_chronological_parent_casts: {
      description: 'Adds the casts above this one, from the root of the thread down.',
    },
    sort_type: { description: 'The order of the replies; oldest first (`chron`) when absent.' },
  },
  'lookup-cast-conversation-summary': {
    identifier: { description: 'Hash of the cast, or its web address.', example: EXAMPLE_HASH.reply },
    limit: { description: 'The latest casts of the thread up to this cast that are summarised.' },
    prompt: { description: 'What the summary should be like, at most 2,000 characters.', example: 'In one sentence.' },
  },
  'search-casts': {
    q: {
      description:
        'Words that must all be there. `+` is and, `|` is or, `*` at the end of a word is any ending, `-` leaves out, quotes hold a phrase together.',
      example: 'welcome',
    },
    sort_type: { description: 'The order of the results; newest first (`desc_chron`) when absent.' },
    author_fid: { description: 'Keeps casts of this account.' },
  },
  'fetch-cast-metrics': {
    q: { example: 'welcome' },
    author_fid: { description: 'Counts casts of this account alone.' },
  },

  'fetch-feed': {
    feed_type: {
      description: '`following` is what the accounts that `fid` follows wrote; `filter` is chosen by `filter_type`.',
      example: 'filter',
    },
    filter_type: {
      description: 'With `feed_type=filter`: what the feed is chosen by. The parameter of the same name must be given.',
      example: 'fids',
    },
    fid: { description: 'With `feed_type=following`: the account whose feed it is.' },
    fids: { description: 'With `filter_type=fids`: accounts, at most 100, separated by commas.', example: '1,2,3' },
    parent_url: { description: 'With `filter_type=parent_url`: the URL that the casts stand under.' },
    channel_id: { description: 'With `filter_type=channel_id`: the channel, like `dev`.' },
    embed_url: { description: 'With `filter_type=embed_url`: what embedded URLs begin with.' },
    embed_types: { description: 'With `filter_type=embed_types`: kinds of embedded content, like `image`.' },
  },
  'fetch-user-following-feed': { fid: author('The account whose feed it is.') },
  'fetch-feed-by-channel-ids': {
    channel_ids: { description: 'Channels, at most 10, separated by commas.', example: 'dev,food' },
    fids: { description: 'Keeps what these accounts wrote or recast, at most 10, separated by commas.' },
  },
  'fetch-feed-by-parent-urls': {
    parent_urls: { description: 'URLs that the casts stand under, separated by commas.', example: channelUrl },
  },
  'fetch-feed-by-topic': {
    slug: {
      description: 'The topic, as `list-trending-topics` shows it: lower-case letters, digits and underscores.',
      example: 'solar_eclipse',
    },
  },
  'fetch-casts-for-user': {
    fid: author('The account whose casts are listed.'),
    app_fid: { description: 'Keeps casts that were written with this app.' },
    include_replies: { description: 'False leaves out replies to other casts.' },
  },
  'fetch-popular-casts-by-user': { fid: author('The account whose casts are ranked.') },
  'fetch-replies-and-recasts-for-user': {
    fid: author('The account whose replies and recasts are listed.'),
    filter: { description: 'Keeps `replies` or `recasts` alone.' },
  },

  'fetch-user-followers': { fid: author('The account whose followers are listed.') },
  'fetch-user-reciprocal-followers': { fid: author('The account whose mutual follows are listed.') },
  'fetch-relevant-followers': {
    target_fid: { description: 'The account whose followers are listed.', example: 12 },
    viewer_fid: {
      description: 'The account that looks: only followers that it follows itself are listed.',
      example: 1,
    },
  },
  'fetch-user-following': { fid: author('The account whose follows are listed.') },
  'fetch-follow-suggestions': { fid: author('The account that suggestions are for.') },

  'fetch-user-reactions': {
    fid: author('The account whose reactions are listed.'),
    type: { description: 'Which reactions are listed.', example: 'all' },
  },
  'fetch-cast-reactions': {
    hash: { description: 'Hash of the cast, 40 hex digits with or without 0x.', example: EXAMPLE_HASH.root },
    types: { description: 'Which reactions are listed, separated by commas.', example: 'likes,recasts' },
  },

  'fetch-all-notifications': {
    fid: notified,
    type: {
      description: 'Keeps notifications of these kinds, separated by commas; all kinds when absent.',
      example: 'mentions,replies',
    },
  },
  'fetch-channel-notifications-for-user': {
    fid: notified,
    channel_ids: {
      description: 'Channels that the notifications are from, separated by commas.',
      example: 'dev,music',
    },
  },
  'fetch-notifications-by-parent-url-for-user': {
    fid: notified,
    parent_urls: { description: 'URLs that the casts stand under, separated by commas.', example: channelUrl },
  },

  'fetch-mute-list': { fid: author('The account whose mutes are listed.') },
  'fetch-block-list': {
    blocker_fid: { description: 'Lists the blocks made by this account. This or `blocked_fid` is needed.', example: 1 },
    blocked_fid: { description: 'Lists the blocks made against this account. This or `blocker_fid` is needed.' },
  },

  'lookup-signer': { signer_uuid: { example: EXAMPLE_SIGNER_UUID } },
  'fetch-signers': {
    message: {
      description:
        'A message of Sign-In with Ethereum (EIP-4361), URL-encoded; on the local network `castellan account sign-in` makes one.',
    },
    signature: { description: "The wallet's signature over the message, 0x and 130 hex digits." },
  },
  'lookup-developer-managed-signer': {
    public_key: {
      description: 'Ed25519 public key of the signer, 0x and 64 hex digits.',
      example: '0x8d750be9a992a4414d02731eec5092948f82d0b05b72fa6f8a508af7af98d811',
    },
  },
  'fetch-authorization-url': {
    client_id: { description: 'Id of the app that asks.' },
    response_type: { description: 'Always `code`.' },
  },
  'lookup-developer-managed-auth-address': { address: { description: 'The Ethereum address that is to sign in.' } },

  'app-host-get-event': {
    app_domain: { description: 'Domain of the mini app, without `https://`.', example: 'mini-app.example' },
    fid: author('The user of the mini app.'),
    event: { description: 'What happened in the app host.', example: 'notifications_enabled' },
  },
  'fetch-frame-catalog': {
    time_window: { example: '24h' },
    categories: { description: 'Keeps mini apps of these categories, separated by commas; all when absent.' },
    networks: { description: miniAppNetworks, example: 'base' },
  },
  'search-frames': {
    q: { description: 'A part of the name, a tag or the subtitle, or the beginning of the domain.', example: 'chess' },
    networks: { description: miniAppNetworks },
  },
  'fetch-relevant-frames': {
    viewer_fid: { description: 'The account whose best friends and followed accounts are looked at.', example: 3 },
    networks: { description: miniAppNetworks },
  },
  'app-host-get-user-state': { fid: author('The user of the app host.') },
  'app-host-get-user-notifications': { fid: author('The user of the app host.') },

  'fetch-notification-tokens': { fids: { example: '1,2' } },
  'get-notification-campaign-stats': {
    campaign_id: { description: '`campaign_id` of the response when the notification was sent. All when absent.' },
  },
  'miniapp-opened': { app_id: { example: '00000000-0000-4000-8000-000000000002' } },

  ...ONCHAIN_PARAMETERS,

  'upgrade-preview': {
    newPlan: { description: 'Id of the plan to change to.', example: 'starter' },
    productCategory: { description: 'The product that the plan belongs to.' },
  },

  'hub-lookup-cast-by-hash-and-fid': { fid: author('The author of the cast.'), hash: hubHash },
  'hub-fetch-users-casts': { fid: hubAuthor },
  'hub-fetch-casts-mentioning-user': { fid: author('The account that is mentioned.') },
  'hub-fetch-casts-by-parent': {
    fid: { description: 'The author of the parent cast; needed together with `hash`.', example: 1 },
    hash: { description: 'Hash of the parent cast; needed together with `fid`.', example: EXAMPLE_HASH.root },
  },
  'hub-lookup-reaction-by-id': {
    fid: { description: 'The account that reacted.', example: 2 },
    target_fid: author('The author of the cast that was reacted to.'),
    target_hash: hubHash,
    reaction_type: hubReactionType,
  },
  'hub-fetch-cast-reactions': {
    target_fid: author('The author of the cast that was reacted to.'),
    target_hash: hubHash,
    reaction_type: hubReactionType,
  },
  'hub-fetch-user-reactions': { fid: hubAuthor, reaction_type: hubReactionType },
  'hub-fetch-reactions-by-target': {
    url: { example: 'chain://eip155:8453/erc721:0x51b1a7d6c6e2b9a4c3d0f58e9273a46b8d105e2c' },
    reaction_type: { ...hubReactionType, description: `${hubReactionType.description} Both when absent.` },
  },
  'hub-lookup-user-relation': {
    fid: { description: 'The account that follows or blocks.', example: 2 },
    target_fid: { description: 'The account that is followed or blocked.', example: 11 },
    link_type: hubLinkType,
  },
  'hub-fetch-user-following': {
    fid: { description: 'The account that follows or blocks.', example: 1 },
    link_type: { ...hubLinkType, description: `${hubLinkType.description} All kinds when absent.` },
  },
  'hub-fetch-user-followers': {
    target_fid: { description: 'The account that is followed or blocked.', example: 1 },
    link_type: { ...hubLinkType, description: `${hubLinkType.description} All kinds when absent.` },
  },
  'hub-fetch-user-data': { fid: hubAuthor },
  'hub-lookup-user-storage-limit': { fid: author('The account whose limits are read.') },
  'hub-fetch-username-proofs-by-fid': { fid: author('The account whose names are proved.') },
  'hub-fetch-username-proof-by-name': {
    name: { description: 'The name that is proved, like `harbor` or `alice.eth`.', example: 'harbor' },
  },
  'hub-fetch-verifications-by-fid': { fid: hubAuthor },
  'hub-lookup-on-chain-id-registry-event-by-address': {
    address: { description: 'The custody address of the account, 0x and 40 hex digits.', example: custody },
  },
  'hub-fetch-user-on-chain-events': {
    fid: author('The account that the events are about.'),
    event_type: { description: 'The kind of event, as a name or a number.', example: 'EVENT_TYPE_ID_REGISTER' },
  },
  'hub-fetch-user-on-chain-signers-events': { fid: author('The account whose signers are read.') },
  'hub-lookup-event': { event_id: { description: 'Id of the event, as `/v1/events` names it.', example: 1 } },
};
