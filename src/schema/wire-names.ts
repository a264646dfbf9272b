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

const row =
  (kind: WireName['kind']) =>
  <const Neutral extends string>(neutral: Neutral, ecosystem: string, where: string) => ({
    kind,
    neutral,
    ecosystem,
    where,
  });
const [member, header, constant] = [row('member'), row('header'), row('constant')];

/**
 * The only place with names of the ecosystem. They are those of the public client, `@neynar/nodejs-sdk` 3.177.0; a test
 * compares them with every operation of the contract (`test/wire-names-client.test.ts`). Where hubs differ from the
 * client's types, the names are those of hubs.
 */
export const WIRE_NAMES = [
  member('service_user_score', 'neynar_user_score', 'experimental of a user'),
  member('sponsored_by_service', 'sponsored_by_neynar', 'sponsor of a signed key request'),
  member('minimum_trader_service_score', 'minimum_trader_neynar_score', 'filter of a webhook'),
  member('payment_customer_id', 'stripe_customer_id', 'billing'),
  member('payment_product_id', 'stripe_product_id', 'billing'),
  member('payment_subscription_id', 'stripe_subscription_id', 'billing'),
  member('auth_provider_organization_id', 'workos_organization_id', 'billing'),
  header('x-service-experimental', 'x-neynar-experimental', 'reads that have experimental behaviour'),
  { ...header('x-service-signature', 'x-neynar-signature', "calls of a host app's webhook"), outgoing: true as const },
  constant('SOCIAL_NETWORK_MAINNET', 'FARCASTER_NETWORK_MAINNET', 'network of a signed message'),
  constant('SOCIAL_NETWORK_TESTNET', 'FARCASTER_NETWORK_TESTNET', 'network of a signed message'),
  constant('SOCIAL_NETWORK_DEVNET', 'FARCASTER_NETWORK_DEVNET', 'network of a signed message'),
  constant('Like', 'REACTION_TYPE_LIKE', 'reactionBody of a signed message, as hubs write it'),
  constant('Recast', 'REACTION_TYPE_RECAST', 'reactionBody of a signed message, as hubs write it'),
  constant('market_data', 'coingecko', 'price_source of a token: a service of prices, whichever it is'),
  constant('social_fungible', 'farcaster_fungible', 'object of a fungible'),
  constant('launchpad_a', 'wow', 'factory of a fungible'),
  constant('launchpad_b', 'clanker', 'factory of a fungible'),
  constant('stp', 'fabric_stp', 'subscription_provider'),
  constant('newsletter', 'paragraph', 'subscription_provider'),
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
