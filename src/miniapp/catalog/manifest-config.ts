import { Compile } from 'typebox/compile';
import { cleanText } from '../../clean-text.js';
import type { TargetRule } from '../../delivery/target.js';
import { isObject } from '../../is-object.js';
import { ManifestConfig } from '../../schema/miniapp/manifest.js';
import { ManifestError } from '../manifest-error.js';
import { readPublicUrl } from './public-url.js';

const config = Compile(ManifestConfig);

type Section = 'miniapp' | 'frame';

/** A mini app in a manifest as its domain wrote it. */
export interface ParsedConfig {
  /** Sections that it has; their contents are equal (Mini App specification). */
  readonly sections: readonly Section[];
  readonly config: ManifestConfig;
}

/** Tools write members that are left empty as null or as an empty text. */
const withoutEmpty = (value: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null && member !== ''));

const firstProblem = (section: Section, value: unknown): string => {
  const [error] = config.Errors(value);
  const path = `${section}${(error?.instancePath ?? '').replaceAll('/', '.')}`;
  const missing = (error?.params as { requiredProperties?: string[] } | undefined)?.requiredProperties?.[0];
  if (missing !== undefined) return `${path} has no ${missing}`;
  return `${path} ${(error?.message ?? 'is invalid').replace('NOT', 'not')}`;
};

/**
 * @param value the members of a manifest
 * @throws ManifestError with the first thing that is wrong
 */
export const parseConfig = (value: Readonly<Record<string, unknown>>): ParsedConfig => {
  const sections = (['miniapp', 'frame'] as const).filter((section) => isObject(value[section]));
  const [section] = sections;
  if (section === undefined) throw new ManifestError('The manifest has no section "miniapp".');
  const written = withoutEmpty(value[section] as Record<string, unknown>);
  if (!config.Check(written)) throw new ManifestError(`The manifest's ${firstProblem(section, written)}.`);
  return { sections, config: written };
};

/**
 * @returns the mini app in the form of `SocialManifestConfig`: texts without control characters, addresses normalized
 * @throws ManifestError for an address that must not be used, and for a name without visible characters
 */
export const publicConfig = (written: ManifestConfig, rule: TargetRule) => {
  const url = (member: keyof ManifestConfig): string | undefined => {
    const text = written[member];
    return typeof text === 'string' ? readPublicUrl(text, String(member), rule) : undefined;
  };
  const text = (value: string | undefined, most: number): string | undefined =>
    value === undefined ? undefined : cleanText(value, most) || undefined;
  const name = text(written.name, 32);
  if (name === undefined) throw new ManifestError("The manifest's name has no visible character.");
  return {
    version: written.version,
    name,
    home_url: url('homeUrl') as string,
    icon_url: url('iconUrl') as string,
    image_url: url('imageUrl'),
    button_title: text(written.buttonTitle, 32),
    splash_image_url: url('splashImageUrl'),
    splash_background_color: written.splashBackgroundColor,
    webhook_url: url('webhookUrl'),
    subtitle: text(written.subtitle, 30),
    description: text(written.description, 170),
    screenshot_urls: written.screenshotUrls?.map((one) => readPublicUrl(one, 'screenshotUrls', rule)),
    primary_category: written.primaryCategory,
    tags: written.tags?.flatMap((tag) => text(tag, 20) ?? []),
    hero_image_url: url('heroImageUrl'),
    tagline: text(written.tagline, 30),
    og_title: text(written.ogTitle, 30),
    og_description: text(written.ogDescription, 100),
    og_image_url: url('ogImageUrl'),
    noindex: written.noindex,
  };
};

export type PublicConfig = ReturnType<typeof publicConfig>;
