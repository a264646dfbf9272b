import { signAssociation } from './association.js';
import { author, SAMPLE_SEED } from './author.js';
import { miniAppDomain, SAMPLE_MINI_APPS, type SampleMiniApp } from './mini-app.js';
import { renderPicture } from './picture/picture.js';

/** What a mini app answers under a path. */
export interface SampleAnswer {
  readonly type: string;
  readonly body: string;
}

const HTML = 'text/html; charset=utf-8';
const SVG = 'image/svg+xml; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

const manifestOf = async (app: SampleMiniApp, domain: string): Promise<string> => {
  const origin = `http://${domain}`;
  const miniapp = {
    version: '1',
    name: app.name,
    iconUrl: `${origin}/icon.svg`,
    homeUrl: `${origin}/`,
    subtitle: app.subtitle,
    description: app.description,
    primaryCategory: app.category,
    tags: app.tags,
    heroImageUrl: `${origin}/card.svg`,
    tagline: app.subtitle,
    ...(app.chains.length === 0 ? {} : { requiredChains: app.chains }),
  };
  const [name = domain] = domain.split(':', 1);
  // The keys of the sample are public knowledge.
  const accountAssociation = await signAssociation(author({ seed: SAMPLE_SEED, fid: app.authorFid }), name);
  return JSON.stringify({ accountAssociation, miniapp }, null, 2);
};

const STYLE = `
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; color: #f6f4ee; font: 18px/1.5 system-ui, sans-serif;
         background: #16233a url(/card.svg) center / cover; }
  main { max-width: 24rem; margin: 1rem; padding: 2rem; border-radius: 1.5rem; text-align: center; background: #101828cc; }
  img { width: 96px; height: 96px; border-radius: 24px; animation: float 4s ease-in-out infinite; }
  h1 { margin: .75rem 0 0; }
  p { margin: .5rem 0; }
  ul { display: flex; flex-wrap: wrap; gap: .5rem; justify-content: center; margin: 1rem 0 0; padding: 0; list-style: none; }
  li { padding: .1rem .8rem; border-radius: 1rem; background: #ffffff22; font-size: .85rem; }
  small { opacity: .75; }
  @keyframes float { 50% { transform: translateY(-8px) rotate(2deg); } }
  @media (prefers-reduced-motion: reduce) { img { animation: none; } }`;

const homePage = (app: SampleMiniApp, domain: string): string => {
  const origin = `http://${domain}`;
  const embed = {
    version: '1',
    imageUrl: `${origin}/card.svg`,
    button: { title: `Open ${app.name}`, action: { type: 'launch_miniapp', name: app.name, url: `${origin}/` } },
  };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${app.name}</title>
<meta property="og:title" content="${app.name}">
<meta property="og:description" content="${app.description}">
<meta property="og:image" content="${origin}/card.svg">
<meta name="fc:miniapp" content="${JSON.stringify(embed).replaceAll('"', '&quot;')}">
<link rel="icon" href="/icon.svg">
<style>${STYLE}
</style>
</head>
<body>
<main>
<img src="/icon.svg" alt="">
<h1>${app.name}</h1>
<p>${app.subtitle}</p>
<p>${app.description}</p>
<ul>${app.tags.map((tag) => `<li>${tag}</li>`).join('')}</ul>
<p><small>A mini app of the sample network, by account ${app.authorFid}.</small></p>
</main>
</body>
</html>
`;
};

/**
 * The mini apps of the sample network, as a development service serves them.
 * @param host where the service listens under names of this machine: `localhost:3000`
 */
export const sampleMiniApps = (host: string) => {
  const apps = new Map(SAMPLE_MINI_APPS.map((app) => [miniAppDomain(app.label, host), app]));
  const manifests = new Map<string, Promise<string>>();
  return {
    domains: new Set(apps.keys()) as ReadonlySet<string>,
    answer: async (domain: string, path: string): Promise<SampleAnswer | undefined> => {
      const app = apps.get(domain);
      if (app === undefined) return undefined;
      if (path === '/') return { type: HTML, body: homePage(app, domain) };
      if (path === '/icon.svg') return { type: SVG, body: renderPicture('channel', app.label) ?? '' };
      if (path === '/card.svg') return { type: SVG, body: renderPicture('cast', app.label) ?? '' };
      if (path !== '/.well-known/farcaster.json') return undefined;
      const manifest = manifests.get(domain) ?? manifestOf(app, domain);
      manifests.set(domain, manifest);
      return { type: JSON_TYPE, body: await manifest };
    },
  };
};
