import Type, { type Static } from 'typebox';
import { stringEnum } from '../string-enum.js';

/** Categories of mini apps (Mini App specification, "primaryCategory"). */
export const MINI_APP_CATEGORIES = [
  'games',
  'social',
  'finance',
  'utility',
  'productivity',
  'health-fitness',
  'news-media',
  'music',
  'shopping',
  'education',
  'developer-tools',
  'entertainment',
  'art-creativity',
] as const;

/** Longest URL in a manifest (@farcaster/miniapp-core, `secureUrlSchema`). */
const MAX_URL = 1024;
const url = () => Type.String({ maxLength: MAX_URL });
const text = (maxLength: number) => Type.String({ maxLength });

/**
 * A mini app in a manifest as its domain wrote it (Mini App specification, and `domainMiniAppConfigSchema` of
 * @farcaster/miniapp-core 0.6.0). Other members are ignored. Whether URLs may be called is checked separately.
 */
export const ManifestConfig = Type.Object({
  version: stringEnum(['1', 'next', '0.0.0', '0.0.1']),
  name: Type.String({ minLength: 1, maxLength: 32 }),
  iconUrl: url(),
  homeUrl: url(),
  imageUrl: Type.Optional(url()),
  buttonTitle: Type.Optional(text(32)),
  splashImageUrl: Type.Optional(url()),
  splashBackgroundColor: Type.Optional(Type.String({ pattern: '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$' })),
  webhookUrl: Type.Optional(url()),
  subtitle: Type.Optional(text(30)),
  description: Type.Optional(text(170)),
  screenshotUrls: Type.Optional(Type.Array(url(), { maxItems: 3 })),
  primaryCategory: Type.Optional(stringEnum(MINI_APP_CATEGORIES)),
  tags: Type.Optional(Type.Array(text(20), { maxItems: 5 })),
  heroImageUrl: Type.Optional(url()),
  tagline: Type.Optional(text(30)),
  ogTitle: Type.Optional(text(30)),
  ogDescription: Type.Optional(text(100)),
  ogImageUrl: Type.Optional(url()),
  noindex: Type.Optional(Type.Boolean()),
  requiredChains: Type.Optional(Type.Array(text(80), { maxItems: 64 })),
  requiredCapabilities: Type.Optional(Type.Array(text(80), { maxItems: 64 })),
  canonicalDomain: Type.Optional(text(253)),
});
export type ManifestConfig = Static<typeof ManifestConfig>;

/** Longer than the signature of a contract wallet in base64 (`parseJfs` limits it further). */
const part = () => Type.String({ maxLength: 32_768 });

/** The proof that an account claims the manifest's domain: a JSON Farcaster Signature. */
export const ManifestAssociation = Type.Object({ header: part(), payload: part(), signature: part() });

/** What a page says about the mini app that it is part of, in `fc:miniapp` or `fc:frame` (JSON). */
export const MiniAppEmbed = Type.Object({
  version: Type.Union([stringEnum(['1', 'next']), Type.Literal(1)]),
  imageUrl: url(),
  button: Type.Object({ title: Type.String() }),
});
