import { notFound } from '../../error.js';
import type { Placement } from '../../store/miniapp/catalog-domain.js';
import { readLimit } from '../option/limit.js';
import { defineCommand } from '../terminal/command.js';
import { minute } from '../terminal/format.js';

const DOMAIN = 'the mini app, as `miniapp list` shows it';

const domainOf = (text: unknown): string => String(text).trim().toLowerCase();
const unknown = (domain: string) =>
  notFound(`${domain} is not known: \`castellan miniapp fetch ${domain}\` reads its manifest.`, 'domain');

export const miniAppListCommand = defineCommand({
  name: 'miniapp list',
  summary: 'List the mini apps of the catalog, the highest score first',
  configure: (command) =>
    command
      .option('--all', 'also domains without a valid manifest, and what is wrong with it', false)
      .option('--limit <n>', 'at most so many', '100'),
  input: ({ options }) => ({ isAll: options.all === true, limit: readLimit(options.limit) }),
  run: async ({ openDatabase }, { isAll, limit }, output) => {
    const { selectDomainSummaries } = await import('../../store/miniapp/catalog-domain.js');
    const found = await selectDomainSummaries(await openDatabase(), isAll, limit);
    const none =
      'No mini app is listed: domains that casts embed are read in the background (CASTELLAN_CRAWL), `castellan miniapp fetch` reads one now.';
    output.list(found, none, {
      Domain: ({ domain }) => domain,
      Name: ({ name }) => name ?? '-',
      // Digits of an account's number are not grouped.
      Author: ({ authorFid }) => (authorFid === null ? '-' : String(authorFid)),
      Score: ({ score }) => (score === null ? '-' : score.toFixed(2)),
      Placement: ({ placement }) => placement ?? '-',
      Read: ({ fetchedAt }) => minute(fetchedAt),
      Fault: ({ failure }) => failure ?? '-',
    });
  },
});

export const miniAppShowCommand = defineCommand({
  name: 'miniapp show',
  summary: 'Show one mini app: its manifest as it is listed, when it was read and is read next, and what is wrong',
  configure: (command) => command.argument('<domain>', DOMAIN),
  input: ({ args }) => ({ domain: domainOf(args[0]) }),
  run: async ({ openDatabase }, { domain }, output) => {
    const { selectDomainSummary } = await import('../../store/miniapp/catalog-domain.js');
    const found = await selectDomainSummary(await openDatabase(), domain);
    if (found === undefined) throw unknown(domain);
    output.table(
      ['What', 'Value'],
      [
        ['domain', found.domain],
        ['name', found.name ?? '-'],
        ['author', found.authorFid === null ? '-' : String(found.authorFid)],
        ['placement', found.placement ?? '-'],
        ['score', found.score === null ? '-' : found.score.toFixed(6)],
        ['image', found.imageUrl ?? '-'],
        ['found', minute(found.foundAt)],
        ['read', minute(found.fetchedAt)],
        ['read next', minute(found.nextFetchAt)],
        ['attempts that failed', found.failures],
        ['fault', found.failure ?? '-'],
      ],
    );
    if (found.manifest !== null) output.line(JSON.stringify(JSON.parse(found.manifest), null, 2));
  },
});

/** A command that places a mini app, or undoes that. */
const placementCommand = (name: string, placement: Placement, summary: string, done: string) =>
  defineCommand({
    name,
    summary,
    configure: (command) => command.argument('<domain>', DOMAIN).option('--undo', 'undoes it', false),
    input: ({ args, options }) => ({ domain: domainOf(args[0]), isUndone: options.undo === true }),
    run: async ({ openDatabase }, { domain, isUndone }, output) => {
      const { updatePlacement } = await import('../../store/miniapp/catalog-domain.js');
      const isKnown = await updatePlacement(await openDatabase(), domain, isUndone ? null : placement);
      if (!isKnown) throw unknown(domain);
      output.note(`${domain} ${isUndone ? 'is listed like any other.' : done}`);
    },
  });

export const miniAppFeatureCommand = placementCommand(
  'miniapp feature',
  'featured',
  'Put a mini app at the beginning of the catalog',
  'is at the beginning of the catalog.',
);

export const miniAppHideCommand = placementCommand(
  'miniapp hide',
  'hidden',
  'Leave a mini app out of all lists',
  'is in no list.',
);
