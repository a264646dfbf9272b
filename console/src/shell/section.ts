import type { Session } from '../api/session.js';
import type { IconName } from '../part/icon.js';

export interface Section {
  readonly path: string;
  readonly title: string;
  readonly icon: IconName;
  /** After `g`. */
  readonly key: string;
  /** Without it, the section is not there. */
  readonly scope?: Session['scopes'][number];
}

export interface SectionGroup {
  readonly title: string;
  readonly icon: IconName;
  readonly sections: readonly Section[];
}

/** The side bar, and on a phone the tabs: each leads to its first section. */
const SECTION_GROUPS: readonly SectionGroup[] = [
  { title: 'Start', icon: 'home', sections: [{ path: '/', title: 'Home', icon: 'home', key: 'h' }] },
  {
    title: 'Explore',
    icon: 'people',
    sections: [
      { path: '/people', title: 'People', icon: 'people', key: 'p', scope: 'read' },
      { path: '/channels', title: 'Channels', icon: 'channels', key: 'c', scope: 'read' },
      { path: '/live', title: 'Live', icon: 'live', key: 'l', scope: 'read' },
    ],
  },
  {
    title: 'Build',
    icon: 'requests',
    sections: [
      { path: '/requests', title: 'Requests', icon: 'requests', key: 'r' },
      { path: '/keys', title: 'Keys', icon: 'keys', key: 'k', scope: 'portal' },
      { path: '/webhooks', title: 'Webhooks', icon: 'webhooks', key: 'w', scope: 'webhook' },
      { path: '/write', title: 'Signers', icon: 'signers', key: 's', scope: 'write' },
      { path: '/mini-apps', title: 'Mini apps', icon: 'miniApps', key: 'm', scope: 'read' },
      { path: '/wallets', title: 'Wallets', icon: 'wallets', key: 'a', scope: 'wallet' },
      { path: '/collections', title: 'Collections', icon: 'collections', key: 'n', scope: 'wallet' },
      { path: '/subscriptions', title: 'Subscriptions', icon: 'subscriptions', key: 't', scope: 'read' },
    ],
  },
  {
    title: 'Account',
    icon: 'usage',
    sections: [
      { path: '/log', title: 'Request log', icon: 'log', key: 'q', scope: 'portal' },
      { path: '/usage', title: 'Usage', icon: 'usage', key: 'u', scope: 'portal' },
      { path: '/plan', title: 'Plan', icon: 'plan', key: 'b', scope: 'portal' },
    ],
  },
  {
    title: 'Operate',
    icon: 'health',
    sections: [
      { path: '/health', title: 'Health', icon: 'health', key: 'e' },
      { path: '/ingest', title: 'Ingest', icon: 'ingest', key: 'i', scope: 'operator' },
      { path: '/deliveries', title: 'Deliveries', icon: 'deliveries', key: 'd', scope: 'operator' },
      { path: '/jobs', title: 'Jobs', icon: 'jobs', key: 'j', scope: 'operator' },
      { path: '/configuration', title: 'Configuration', icon: 'configuration', key: 'v', scope: 'operator' },
      { path: '/organizations', title: 'Organizations', icon: 'organizations', key: 'o', scope: 'operator' },
    ],
  },
];

/** @param section undefined: a page of none, which everybody may see */
export const isAllowed = (section: Section | undefined, scopes: readonly string[]): boolean =>
  section?.scope === undefined || scopes.includes(section.scope);

/** @returns the groups with the sections that these scopes may see */
export const sectionsFor = (scopes: readonly string[]): SectionGroup[] =>
  SECTION_GROUPS.map((group) => ({
    ...group,
    sections: group.sections.filter((section) => isAllowed(section, scopes)),
  })).filter(({ sections }) => sections.length > 0);

/** @param path below the console: `/people/3` @returns whether it is a page of the section */
export const isWithin = (path: string, section: Section): boolean =>
  section.path === '/'
    ? path === '/' || path === ''
    : path === section.path ||
      path.startsWith(`${section.path}/`) ||
      (section.path === '/people' && path.startsWith('/casts/'));

/** @param path as of `isWithin` @returns the section that the page belongs to */
export const sectionOf = (path: string): Section | undefined =>
  SECTION_GROUPS.flatMap(({ sections }) => sections).find((section) => isWithin(path, section));
