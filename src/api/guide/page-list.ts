/** Name of the group of pages that are only for those who change the code. */
export const PROJECT_GROUP = 'About the project';

/**
 * The pages of docs/ by subject, in the order in which they are listed: at `/guides` for people, in `/llms.txt` for
 * language models. Names are those of the files, without `.md`.
 */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  Guides: ['guide-client', 'guide-mini-app', 'guide-operate', 'guide-resell'],
  'The interface': [
    'operations',
    'writing',
    'streams',
    'webhooks',
    'notification',
    'visibility',
    'sign-in',
    'accounts',
  ],
  'Lists and their order': ['ranking', 'score', 'crawl', 'channels', 'channels-protocol', 'channels-client'],
  'Programs and agents': ['migrating', 'compatibility', 'mcp', 'hub', 'wire-names'],
  'Mini apps': ['mini-apps', 'miniapp-notifications'],
  Chains: ['onchain', 'collection', 'tokens', 'payments', 'x402', 'subscriptions-onchain', 'images'],
  'Run it': ['configuration', 'operating', 'scaling', 'analytics', 'billing'],
  [PROJECT_GROUP]: ['glossary', 'data-flow', 'testing', 'coverage', 'hub-cases'],
};

/** Where a page stands that no group names. */
const OTHERS = 'Run it';

/** Pages of one subject. */
export interface PageGroup {
  readonly title: string;
  readonly names: readonly string[];
}

/**
 * @param names of all pages that there are, without `.md`
 * @returns all of them in groups
 * @throws if a group names a page that is not there
 */
export const groupPages = (names: Iterable<string>): readonly PageGroup[] => {
  const rest = new Set(names);
  for (const name of Object.values(GROUPS).flat()) {
    if (!rest.delete(name)) throw new Error(`src/api/guide/page-list.ts names docs/${name}.md, which is not there`);
  }
  return Object.entries(GROUPS).map(([title, listed]) => ({
    title,
    names: title === OTHERS ? [...listed, ...rest] : listed,
  }));
};
