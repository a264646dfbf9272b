import type { Placement } from '../../src/store/miniapp/catalog-domain.js';
import type { Network } from './network.js';

interface Known {
  readonly domain: string;
  readonly name?: string;
  readonly subtitle?: string;
  readonly tags?: readonly string[];
  readonly category?: string;
  readonly networks?: readonly string[];
  readonly authorFid?: number;
  readonly placement?: Placement;
}

const now = new Date('2026-01-01T00:00:00Z');

/** Stores mini apps as if their manifests had been read; their author is account 1 unless told otherwise. */
export const storeMiniApps = async (network: Pick<Network, 'sql'>, apps: readonly Known[]): Promise<void> => {
  for (const { domain, name = domain, subtitle = null, tags = [], category, networks, authorFid, placement } of apps) {
    await network.sql(
      `insert into catalog_domain (domain, found_at, placement, fetched_at, read_at, next_fetch_at)
       values ($1, $2, $3, $2, $2, $2::timestamptz + interval '100 years')`,
      [domain, now, placement ?? null],
    );
    const home = `https://${domain}/`;
    const config = { version: '1', name, home_url: home, icon_url: `${home}icon.png`, description: 'A mini app.' };
    const manifest = { account_association: { header: 'e30', payload: 'e30', signature: 'AA' }, miniapp: config };
    await network.sql(
      `insert into catalog_app (domain, author_fid, name, subtitle, category, tags, networks, home_url, image_url, version,
                                manifest, listed_at, search_text)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, '1', $10::jsonb, $11, lower(search_text($12)))`,
      [
        domain,
        authorFid ?? 1,
        name,
        subtitle,
        category ?? null,
        tags,
        networks ?? null,
        home,
        `${home}card.png`,
        JSON.stringify(manifest),
        now,
        ` ${[name, ...tags, subtitle ?? ''].join(' ')}`,
      ],
    );
  }
};
