import { CHANNEL_URL, FIDS, type Seeded } from './seed.js';
import { TEXT } from './wire-names.js';

const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;

/**
 * Queries for every GET operation whose path has two forms; what needs a chain or a signature answers an error.
 *
 * @param written hash of a cast whose text is `TEXT`
 */
export const ecosystemRequests = (seeded: Seeded, written: string): Record<string, readonly string[]> => {
  const { alice, bob, carol, dan, erin } = FIDS;
  const [hello, quote] = [seeded.casts.hello, seeded.casts.quote].map(({ hash }) => hex(hash));
  const url = encodeURIComponent(CHANNEL_URL);
  const address = hex(seeded.alice.wallet(1).address);
  return {
    'fetch-bulk-users': [`fids=${alice},${bob},${carol},99`, `fids=${alice},${dan}&viewer_fid=${bob}`, 'fids=x'],
    'fetch-bulk-users-by-eth-or-sol-address': [`addresses=${address}`],
    'lookup-user-by-username': ['username=alice', 'username=nobody'],
    'lookup-user-by-custody-address': [`custody_address=${hex(seeded.bob.custody.address)}`],
    'lookup-users-by-x-username': ['x_username=alice'],
    'fetch-users-by-location': ['latitude=38.7&longitude=-9.1'],
    'search-user': ['q=ali', `q=bo&viewer_fid=${alice}`],
    'get-user-best-friends': [`fid=${alice}`],
    'fetch-user-interactions': [`fids=${alice},${bob}`, `fids=${alice}`],
    'fetch-verifications': [`fid=${alice}`],
    'fetch-user-balance': [`fid=${alice}&networks=base`],
    'lookup-cast-by-hash-or-url': [`type=hash&identifier=${hello}`, `type=hash&identifier=${written}`, 'type=hash'],
    'fetch-bulk-casts': [`casts=${hello},${quote},${written}`, `casts=${hello},${written}&viewer_fid=${bob}`],
    'lookup-cast-conversation': [`type=hash&identifier=${hello}&include_chronological_parent_casts=true&reply_depth=3`],
    'lookup-cast-conversation-summary': [`identifier=${hello}`],
    'fetch-cast-quotes': [`type=hash&identifier=${hex(seeded.casts.reply.hash)}`],
    'fetch-embedded-url-metadata': ['url=nowhere', 'url=http%3A%2F%2F10.0.0.1%2F'],
    'search-casts': ['q=tomatoes', `q=${TEXT}`],
    'fetch-cast-metrics': ['q=tomatoes&interval=180d', 'q=tomatoes&interval=2d'],
    'fetch-feed': [`feed_type=following&fid=${bob}`, `feed_type=filter&filter_type=fids&fids=${alice},${bob}`],
    'fetch-feed-by-channel-ids': ['channel_ids=garden'],
    'fetch-feed-by-parent-urls': [`parent_urls=${url}`],
    'fetch-feed-by-topic': ['slug=tomatoes'],
    'fetch-user-following-feed': [`fid=${bob}`, `fid=${bob}&limit=1`, `fid=${bob}&viewer_fid=${bob}`],
    'fetch-casts-for-user': [`fid=${alice}`, `fid=${alice}&limit=1`],
    'fetch-popular-casts-by-user': [`fid=${alice}`],
    'fetch-replies-and-recasts-for-user': [`fid=${bob}`, `fid=${carol}&filter=recasts`],
    'fetch-user-followers': [`fid=${alice}`, `fid=${alice}&viewer_fid=${bob}&sort_type=algorithmic`],
    'fetch-user-following': [`fid=${alice}`],
    'fetch-user-reciprocal-followers': [`fid=${alice}`],
    'fetch-relevant-followers': [`target_fid=${alice}&viewer_fid=${carol}`],
    'fetch-follow-suggestions': [`fid=${carol}`],
    'fetch-user-reactions': [`fid=${bob}&type=all`, `fid=${erin}&type=likes`],
    'fetch-cast-reactions': [`hash=${hello}&types=all`, `hash=${written}&types=likes&viewer_fid=${alice}`],
    'fetch-all-notifications': [`fid=${alice}`, `fid=${dan}&type=mentions`],
    'fetch-channel-notifications-for-user': [`fid=${alice}&channel_ids=garden`],
    'fetch-notifications-by-parent-url-for-user': [`fid=${alice}&parent_urls=${url}`],
    'lookup-channel': ['id=garden', `id=${url}&type=parent_url&viewer_fid=${alice}`, 'id=nowhere'],
    'fetch-bulk-channels': ['ids=garden,nowhere'],
    'fetch-all-channels': [''],
    'search-channels': ['q=gar', `q=garden&viewer_fid=${alice}`],
    'fetch-trending-channels': ['time_window=30d'],
    'list-trending-topics': [''],
    'fetch-users-active-channels': [`fid=${bob}`],
    'fetch-user-channels': [`fid=${alice}`],
    'fetch-followers-for-a-channel': ['id=garden', `id=garden&limit=1&viewer_fid=${carol}`],
    'fetch-relevant-followers-for-a-channel': [`id=garden&viewer_fid=${carol}`],
    'fetch-channel-members': ['channel_id=garden'],
    'fetch-user-channel-memberships': [`fid=${carol}`],
    'fetch-channel-invites': [''],
    'fetch-frame-catalog': ['', 'time_window=1h&categories=games&networks=base'],
    'search-frames': ['q=chess', 'q=%20'],
    'fetch-relevant-frames': [`viewer_fid=${bob}`],
    'fetch-mute-list': [`fid=${dan}`],
    'fetch-ban-list': ['limit=5'],
    'fetch-block-list': [`blocker_fid=${erin}`],
    'lookup-signer': ['signer_uuid=00000000-0000-4000-8000-000000000000'],
    'lookup-developer-managed-signer': [`public_key=0x${'1'.repeat(64)}`],
    'lookup-developer-managed-auth-address': [`address=${address}`],
    'fetch-signers': ['message=x&signature=0x00'],
    'fetch-authorization-url': ['response_type=code&client_id=00000000-0000-4000-8000-000000000000'],
    'fetch-nonce': [''],
    'app-host-get-event': [`app_domain=app.example&fid=${alice}&event=notifications_disabled`],
    'app-host-get-user-state': [`fid=${alice}`],
    'app-host-get-user-notifications': [`fid=${alice}`],
    'fetch-notification-tokens': [''],
    'get-notification-campaign-stats': [''],
    'simulate-nft-mint': ['nft_contract_address=0x1&network=base&recipients=[]'],
    'fetch-nft-metadata': [''],
    'get-transaction-pay-frame': ['id=none'],
    'fetch-webhooks': [''],
    'lookup-webhook': ['webhook_id=none'],
    'fetch-webhook-deliveries': ['webhook_id=none'],
    'match-webhook': [`webhook_id=none&hash=${hello}`],
    'stream-events': ['since=x'],
  };
};
