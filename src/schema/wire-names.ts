/**
 * Whose names stand on the wire: those of the contract (`neutral`), or those that the public ecosystem gives the same
 * things (`ecosystem`).
 */
export const DIALECTS = ['neutral', 'ecosystem'] as const;
export type Dialect = (typeof DIALECTS)[number];

/** One thing that has two names. */
interface WireName {
  /** `member` of a body or a query, `header` (lower case), or a `constant`: a value that a schema lists. */
  readonly kind: 'member' | 'header' | 'constant';
  readonly neutral: string;
  readonly ecosystem: string;
  /** Where it is met, for the documentation. */
  readonly where: string;
  /** Only in calls that go out: no schema of an operation holds it. */
  readonly outgoing?: true;
  /** The operation of the contract that it waits for; this version answers it 501 and has no schema of it. */
  readonly awaits?: string;
}

/**
 * The only place where a name of the ecosystem is written. Names are those of the public client, `@neynar/nodejs-sdk`
 * 3.177.0; a test holds every operation of the contract against it (`test/wire-names-client.test.ts`). Where hubs answer
 * otherwise than its types say, the names are those of hubs.
 */
export const WIRE_NAMES = [
  { kind: 'member', neutral: 'service_user_score', ecosystem: 'neynar_user_score', where: 'experimental of a user' },
  {
    kind: 'member',
    neutral: 'sponsored_by_service',
    ecosystem: 'sponsored_by_neynar',
    where: 'sponsor of a signed key request',
  },
  {
    kind: 'member',
    neutral: 'minimum_trader_service_score',
    ecosystem: 'minimum_trader_neynar_score',
    where: 'filter of a webhook',
    awaits: 'publish-webhook',
  },
  {
    kind: 'member',
    neutral: 'payment_customer_id',
    ecosystem: 'stripe_customer_id',
    where: 'billing',
  },
  {
    kind: 'member',
    neutral: 'payment_product_id',
    ecosystem: 'stripe_product_id',
    where: 'billing',
  },
  {
    kind: 'member',
    neutral: 'payment_subscription_id',
    ecosystem: 'stripe_subscription_id',
    where: 'billing',
  },
  {
    kind: 'member',
    neutral: 'auth_provider_organization_id',
    ecosystem: 'workos_organization_id',
    where: 'billing',
  },
  {
    kind: 'header',
    neutral: 'x-service-experimental',
    ecosystem: 'x-neynar-experimental',
    where: 'reads that have experimental behaviour',
  },
  {
    kind: 'header',
    neutral: 'x-service-signature',
    ecosystem: 'x-neynar-signature',
    where: "calls of a host app's webhook",
    outgoing: true,
  },
  {
    kind: 'constant',
    neutral: 'SOCIAL_NETWORK_MAINNET',
    ecosystem: 'FARCASTER_NETWORK_MAINNET',
    where: 'network of a signed message',
  },
  {
    kind: 'constant',
    neutral: 'SOCIAL_NETWORK_TESTNET',
    ecosystem: 'FARCASTER_NETWORK_TESTNET',
    where: 'network of a signed message',
  },
  {
    kind: 'constant',
    neutral: 'SOCIAL_NETWORK_DEVNET',
    ecosystem: 'FARCASTER_NETWORK_DEVNET',
    where: 'network of a signed message',
  },
  {
    kind: 'constant',
    neutral: 'Like',
    ecosystem: 'REACTION_TYPE_LIKE',
    where: 'reactionBody of a signed message, as hubs write it',
  },
  {
    kind: 'constant',
    neutral: 'Recast',
    ecosystem: 'REACTION_TYPE_RECAST',
    where: 'reactionBody of a signed message, as hubs write it',
  },
  {
    kind: 'constant',
    neutral: 'market_data',
    ecosystem: 'coingecko',
    where: 'price_source of a token: a service of prices, whichever it is',
  },
  {
    kind: 'constant',
    neutral: 'social_fungible',
    ecosystem: 'farcaster_fungible',
    where: 'object of a fungible',
    awaits: 'fetch-fungibles',
  },
  {
    kind: 'constant',
    neutral: 'launchpad_a',
    ecosystem: 'wow',
    where: 'factory of a fungible',
    awaits: 'deploy-fungible',
  },
  {
    kind: 'constant',
    neutral: 'launchpad_b',
    ecosystem: 'clanker',
    where: 'factory of a fungible',
    awaits: 'deploy-fungible',
  },
  {
    kind: 'constant',
    neutral: 'stp',
    ecosystem: 'fabric_stp',
    where: 'subscription_provider',
    awaits: 'fetch-subscribers-for-fid',
  },
  {
    kind: 'constant',
    neutral: 'newsletter',
    ecosystem: 'paragraph',
    where: 'subscription_provider',
    awaits: 'fetch-subscribers-for-fid',
  },
] as const satisfies readonly WireName[];

type NeutralName = (typeof WIRE_NAMES)[number]['neutral'];

const pairs = (constants: boolean): [string, string][] =>
  WIRE_NAMES.filter(({ kind }) => (kind === 'constant') === constants).map((name) => [name.neutral, name.ecosystem]);

/** What the contract's names are in the ecosystem: those of members and headers, and constants. */
export const toEcosystem: {
  readonly names: ReadonlyMap<string, string>;
  readonly constants: ReadonlyMap<string, string>;
} = { names: new Map(pairs(false)), constants: new Map(pairs(true)) };

const counterparts = new Map(pairs(false).flatMap(([one, other]) => [[one, other] as const, [other, one] as const]));

/** @returns what the other dialect calls a member or a header, whichever it is called in here; undefined: the same. */
export const counterpartOf = (name: string): string | undefined => counterparts.get(name);

/** @returns what a header or a member of the table is called in a dialect. */
export const wireName = (name: NeutralName, dialect: Dialect): string =>
  dialect === 'neutral' ? name : (toEcosystem.names.get(name) ?? name);

/** Begins the paths that have a dialect of their own. */
const PREFIX: Readonly<Record<Dialect, string>> = { neutral: '/v2/social/', ecosystem: '/v2/farcaster/' };

/** @returns whether a path of the contract has a twin in the ecosystem's names. */
export const hasTwin = (path: string): boolean => path.startsWith(PREFIX.neutral);

/** @param path as the contract writes it @returns the same in a dialect; paths without a twin are the same in both. */
export const wirePath = (path: string, dialect: Dialect): string =>
  hasTwin(path) ? PREFIX[dialect] + path.slice(PREFIX.neutral.length) : path;

/** @returns every path that an operation of the contract is answered at. */
export const wirePaths = (path: string): string[] =>
  hasTwin(path) ? DIALECTS.map((dialect) => wirePath(path, dialect)) : [path];
