/**
 * The two sets of names in requests and responses: those of the contract (`neutral`), and those that the public
 * ecosystem uses (`ecosystem`).
 */
export const DIALECTS = ['neutral', 'ecosystem'] as const;
export type Dialect = (typeof DIALECTS)[number];

interface WireName {
  /** `member` of a body or a query, `header` (lower case), or `constant`: a value that a schema lists. */
  readonly kind: 'member' | 'header' | 'constant';
  readonly neutral: string;
  readonly ecosystem: string;
  /** Where it occurs, for the documentation. */
  readonly where: string;
  /** Only in outgoing calls: no operation's schema contains it. */
  readonly outgoing?: true;
}

/**
 * The only place with names of the ecosystem. They are those of the public client, `@neynar/nodejs-sdk` 3.177.0; a test
 * compares them with every operation of the contract (`test/wire-names-client.test.ts`). Where hubs differ from the
 * client's types, the names are those of hubs.
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
  },
  {
    kind: 'constant',
    neutral: 'launchpad_a',
    ecosystem: 'wow',
    where: 'factory of a fungible',
  },
  {
    kind: 'constant',
    neutral: 'launchpad_b',
    ecosystem: 'clanker',
    where: 'factory of a fungible',
  },
  {
    kind: 'constant',
    neutral: 'stp',
    ecosystem: 'fabric_stp',
    where: 'subscription_provider',
  },
  {
    kind: 'constant',
    neutral: 'newsletter',
    ecosystem: 'paragraph',
    where: 'subscription_provider',
  },
] as const satisfies readonly WireName[];

type NeutralName = (typeof WIRE_NAMES)[number]['neutral'];

const pairs = (constants: boolean): [string, string][] =>
  WIRE_NAMES.filter(({ kind }) => (kind === 'constant') === constants).map((name) => [name.neutral, name.ecosystem]);

/** Names in the ecosystem by neutral name: members and headers, and constants. */
export const toEcosystem: {
  readonly names: ReadonlyMap<string, string>;
  readonly constants: ReadonlyMap<string, string>;
} = { names: new Map(pairs(false)), constants: new Map(pairs(true)) };

const counterparts = new Map(pairs(false).flatMap(([one, other]) => [[one, other] as const, [other, one] as const]));

/** @returns the other dialect's name of a member or a header; undefined if it is the same */
export const translateName = (name: string): string | undefined => counterparts.get(name);

/** @returns the name of a member or a header of the table in a dialect */
export const wireName = (name: NeutralName, dialect: Dialect): string =>
  dialect === 'neutral' ? name : (toEcosystem.names.get(name) ?? name);

/** Prefix of the paths that differ between the dialects. */
const PREFIX: Readonly<Record<Dialect, string>> = { neutral: '/v2/social/', ecosystem: '/v2/farcaster/' };

/** @returns whether a path of the contract also exists in the ecosystem's names */
export const hasEcosystemPath = (path: string): boolean => path.startsWith(PREFIX.neutral);

/** @param path as in the contract @returns the path in a dialect; most paths are the same in both */
export const wirePath = (path: string, dialect: Dialect): string =>
  hasEcosystemPath(path) ? PREFIX[dialect] + path.slice(PREFIX.neutral.length) : path;

/** @returns all paths of an operation */
export const wirePaths = (path: string): string[] =>
  hasEcosystemPath(path) ? DIALECTS.map((dialect) => wirePath(path, dialect)) : [path];
