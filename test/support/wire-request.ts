import { READ_QUERIES } from './read-query.js';
import { FIDS, type Seeded } from './seed.js';
import { TEXT } from './wire-names.js';

const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;

const { alice, bob, carol, dan, erin } = FIDS;

/** Queries of operations that do not read through the cache; what needs a chain or a signature answers an error. */
const otherQueries = (seeded: Seeded): Record<string, readonly string[]> => {
  const hello = hex(seeded.casts.hello.hash);
  const address = hex(seeded.alice.wallet(1).address);
  return {
    'get-fresh-account-FID': [''],
    'is-fname-available': ['fname=alice', 'fname=Alice'],
    'lookup-user-storage-allocations': [`fid=${alice}`, 'fid=0'],
    'lookup-user-storage-usage': [`fid=${alice}`, 'fid=0'],
    'fetch-user-balance': [`fid=${alice}&networks=base`],
    'lookup-cast-conversation-summary': [`identifier=${hello}`],
    'fetch-embedded-url-metadata': ['url=nowhere', 'url=http%3A%2F%2F10.0.0.1%2F'],
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
    'fetch-fungibles': ['fungibles=eip155:1/erc721:0x1'],
    'fetch-fungible-trades': [`network=base&address=${address}`],
    'fetch-trending-fungibles': ['network=base'],
    'fetch-relevant-fungible-owners': [`contract_address=${address}&network=base`],
    'fetch-bulk-relevant-fungible-owners': [`contract_addresses=${address}&network=base`],
    'fetch-subscribed-to-for-fid': [`fid=${alice}`],
    'fetch-subscribers-for-fid': [`fid=${alice}`],
    'fetch-subscriptions-for-fid': [`fid=${alice}`],
    'fetch-webhooks': [''],
    'lookup-webhook': ['webhook_id=none'],
    'fetch-webhook-deliveries': ['webhook_id=none'],
    'match-webhook': [`webhook_id=none&hash=${hello}`],
    'stream-events': ['since=x'],
  };
};

/** Queries beside those of `READ_QUERIES` whose names differ: constants, viewers, and errors. */
const moreQueries = (seeded: Seeded, written: string): Record<string, readonly string[]> => ({
  'fetch-bulk-users': [`fids=${alice},${dan}&viewer_fid=${bob}`, 'fids=x'],
  'lookup-users-by-x-username': ['x_username=alice'],
  'lookup-cast-by-hash-or-url': [`type=hash&identifier=${written}`, 'type=hash'],
  'fetch-bulk-casts': [`casts=${hex(seeded.casts.hello.hash)},${written}&viewer_fid=${bob}`],
  'search-casts': [`q=${TEXT}`],
  'fetch-cast-metrics': ['q=tomatoes&interval=2d'],
  'fetch-user-following-feed': [`fid=${bob}&limit=1&viewer_fid=${bob}`],
  'fetch-user-followers': [`fid=${alice}&viewer_fid=${bob}&sort_type=algorithmic`],
  'fetch-user-reactions': [`fid=${erin}&type=likes`],
  'fetch-cast-reactions': [`hash=${written}&types=likes&viewer_fid=${alice}`],
  'fetch-all-notifications': [`fid=${dan}&type=mentions`],
  'lookup-channel': ['id=nowhere', `id=garden&viewer_fid=${alice}`],
  'fetch-followers-for-a-channel': [`id=garden&limit=1&viewer_fid=${carol}`],
  'fetch-frame-catalog': ['time_window=1h&categories=games&networks=base'],
  'search-frames': ['q=%20'],
});

/**
 * Queries for every GET operation whose path has two forms.
 *
 * @param written hash of a cast whose text is `TEXT`
 */
export const ecosystemRequests = (seeded: Seeded, written: string): Record<string, readonly string[]> => {
  const hashes = [...Object.values(seeded.casts).map(({ hash }) => hex(hash)), written];
  const environment = { seeded, fids: [alice, bob, carol, 99], hashes: () => hashes };
  const reads = Object.entries(READ_QUERIES).filter(([id]) => !id.startsWith('hub-'));
  const more = moreQueries(seeded, written);
  return {
    ...otherQueries(seeded),
    ...Object.fromEntries(reads.map(([id, queries]) => [id, [...queries(environment), ...(more[id] ?? [])]])),
  };
};
