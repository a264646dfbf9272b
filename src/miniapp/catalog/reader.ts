import { DocumentError, type DocumentReader } from '../../crawl/document-reader.js';
import { mediaType } from '../../crawl/media-type.js';
import type { FetchedPage, PageFetch, PageRequest } from '../../crawl/page-fetch.js';
import type { Database } from '../../db/database.js';
import type { TargetRule } from '../../delivery/target.js';
import { AppError } from '../../error.js';
import type { Networks } from '../../onchain/network.js';
import type { EncodedJsonSocialSignature } from '../../schema/social/frame.js';
import type { CatalogApp } from '../../store/miniapp/catalog-app.js';
import { type MiniAppDomain, readDomain } from '../domain.js';
import { ManifestError } from '../manifest-error.js';
import {
  checkAssociation,
  fetchManifest,
  fetchPart,
  isBusy,
  readManifest,
  type SignedManifest,
} from '../manifest-reader.js';
import { type HomePageEmbed, publicEmbed } from './home-page.js';
import { type PublicConfig, parseConfig, publicConfig } from './manifest-config.js';
import { requiredNetworks } from './required-network.js';
import { isTunnel } from './tunnel.js';

/** How the pages of a domain are fetched, and which addresses they may name. */
export interface CatalogSite {
  readonly fetchPage: PageFetch;
  readonly rule: TargetRule;
}

/** What is stored of a manifest that was read before. */
export interface StoredManifest {
  readonly etag: string | null;
  /** JSON of `SocialManifest`. */
  readonly manifest: string;
}

export interface CatalogReaderDependencies {
  readonly db: Database;
  /** Chains that verify signatures of contract wallets. */
  readonly networks: Networks;
  readonly siteOf: (domain: string) => CatalogSite;
  /** Reads home pages. */
  readonly reader: DocumentReader;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** For each of manifest, icon and home page, with redirects and waits for rate limits; 10 s unless given. */
  readonly timeoutMs?: number | undefined;
}

/** @returns the mini app of a domain; undefined if its manifest did not change. @throws ManifestError */
export type CatalogReader = (domain: string, stored?: StoredManifest) => Promise<CatalogApp | undefined>;

const TIMEOUT_MS = 10_000;
const MAX_REDIRECTS = 3;
const PAGE_BYTES = 512 * 1024;
/** An icon is not stored: its beginning shows that it is one. */
const ICON_BYTES = 16 * 1024;
const MAX_ETAG = 256;
/** What responses show of a manifest, in bytes of JSON: real ones have three kilobytes. */
const MAX_SHOWN = 16 * 1024;

const readName = (domain: string, rule: TargetRule): MiniAppDomain => {
  if (isTunnel(domain)) throw new ManifestError('The domain is that of a tunnel, which is not listed.');
  try {
    return readDomain(domain, rule, 'domain');
  } catch (error) {
    if (error instanceof AppError) throw new ManifestError('This is no host name that can have a mini app.');
    throw error;
  }
};

const searchTextOf = ({ name, tags = [], subtitle = '' }: PublicConfig): string =>
  ` ${[name, ...tags, subtitle].join(' ')}`;

const imageOf = (config: PublicConfig): string =>
  config.image_url ?? config.hero_image_url ?? config.og_image_url ?? config.icon_url;

/** @returns a reader of manifests, with the icons and home pages that they name */
export const createCatalogReader = ({
  db,
  networks,
  siteOf,
  reader,
  clock,
  timeoutMs = TIMEOUT_MS,
}: CatalogReaderDependencies): CatalogReader => {
  const fetchPage = (
    { fetchPage }: CatalogSite,
    request: Pick<PageRequest, 'url' | 'headers' | 'maxBytes' | 'cutsBody'>,
  ): Promise<FetchedPage> => fetchPage({ ...request, deadline: clock() + timeoutMs, maxRedirects: MAX_REDIRECTS });

  const checkIcon = async (url: string, site: CatalogSite): Promise<void> => {
    const request = { url: new URL(url), headers: { accept: 'image/*' }, maxBytes: ICON_BYTES, cutsBody: true };
    const { status, headers, body } = await fetchPart('The icon', fetchPage(site, request));
    if (status !== 200) throw new ManifestError(`The icon answered ${status}.`, { isTemporary: isBusy(status) });
    const type = mediaType(headers['content-type']);
    if (!type.startsWith('image/') || body.length === 0) {
      throw new ManifestError(`The icon is no image: its type is ${type || 'none'}.`);
    }
  };

  /** If the home page does not answer, the picture is that of the manifest. */
  const readEmbed = async (url: string, site: CatalogSite): Promise<HomePageEmbed | undefined> => {
    const request = { url: new URL(url), headers: { accept: 'text/html' }, maxBytes: PAGE_BYTES, cutsBody: true };
    const page = await fetchPart('The home page', fetchPage(site, request)).catch((error: unknown) => {
      if (error instanceof ManifestError) return undefined;
      throw error;
    });
    if (page?.status !== 200) return undefined;
    const document = { body: page.body, contentType: page.headers['content-type'] ?? '', url };
    const embeds = await reader.read('miniAppEmbeds', document).catch((error: unknown) => {
      if (error instanceof DocumentError) return [];
      throw error;
    });
    return publicEmbed(embeds, site.rule);
  };

  const readValid = async (
    domain: MiniAppDomain,
    { association, fid: authorFid, value, headers: { etag = '' } }: SignedManifest,
    site: CatalogSite,
  ): Promise<CatalogApp> => {
    const { sections, config: written } = parseConfig(value);
    if (written.noindex === true) throw new ManifestError('The manifest says noindex, so the mini app is not listed.');
    const canonical = written.canonicalDomain?.toLowerCase();
    if (canonical !== undefined && canonical !== domain.name) {
      throw new ManifestError("The manifest's canonicalDomain is another one, which is listed instead.");
    }
    const config = publicConfig(written, site.rule);
    if (config.description === undefined) throw new ManifestError('The manifest has no description.');
    const shown = Object.fromEntries(sections.map((section) => [section, config]));
    const manifest = JSON.stringify({ account_association: association, ...shown });
    if (Buffer.byteLength(manifest) > MAX_SHOWN) throw new ManifestError('The manifest is too long.');
    await checkIcon(config.icon_url, site);
    const embed = await readEmbed(config.home_url, site);
    return {
      domain: domain.name,
      authorFid,
      name: config.name,
      subtitle: config.subtitle ?? null,
      category: config.primary_category ?? null,
      tags: config.tags ?? [],
      networks: requiredNetworks(written.requiredChains),
      homeUrl: config.home_url,
      imageUrl: embed?.imageUrl ?? imageOf(config),
      version: embed?.version ?? config.version,
      manifest,
      etag: etag !== '' && etag.length <= MAX_ETAG ? etag : null,
      searchText: searchTextOf(config),
    };
  };

  return async (name, stored) => {
    const site = siteOf(name);
    const domain = readName(name, site.rule);
    const etag = stored?.etag;
    const response = await fetchManifest(
      domain,
      (request) => fetchPage(site, { ...request, cutsBody: false }),
      etag ? { 'if-none-match': etag } : {},
    );
    if (response.status === 304 && stored && etag) {
      // The account may have changed its keys since.
      const { account_association } = JSON.parse(stored.manifest) as {
        account_association: EncodedJsonSocialSignature;
      };
      await checkAssociation({ db, networks }, domain, account_association);
      return undefined;
    }
    return readValid(domain, await readManifest({ db, networks }, domain, response), site);
  };
};
