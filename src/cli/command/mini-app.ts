import { notFound } from '../../error.js';
import type { Placement } from '../../store/miniapp/catalog-domain.js';
import { readLimit } from '../option/limit.js';
import { defineCommand } from '../terminal/command.js';
import { digits } from '../terminal/format.js';
import type { JsonObject } from '../terminal/output.js';
import { formatTable } from '../terminal/table.js';

const DOMAIN = 'the mini app, as `miniapp list` shows it';

const domainOf = (text: unknown): string => String(text).trim().toLowerCase();
const unknown = (domain: string) =>
  notFound(`${domain} is not known: \`castellan miniapp fetch ${domain}\` reads its manifest.`, 'domain');

export const miniAppListCommand = defineCommand({
  name: 'miniapp list',
  summary: 'List the mini apps of the catalog, the highest score first',
  examples: [
    ['castellan miniapp list', 'list those that apps are shown'],
    ["castellan miniapp list --all --json | jq '.[] | {domain, failure}'", 'print what is wrong with each'],
  ],
  configure: (command) =>
    command
      .option('--all', 'also domains without a valid manifest, and what is wrong with it', false)
      .option('--limit <n>', 'at most so many', '100'),
  input: ({ options }) => ({ isAll: options.all === true, limit: readLimit(options.limit) }),
  run: async ({ openDatabase }, { isAll, limit }, output) => {
    const { selectDomainSummaries } = await import('../../store/miniapp/catalog-domain.js');
    const found = (await selectDomainSummaries(await openDatabase(), isAll, limit)).map((one) => ({
      domain: one.domain,
      name: one.name,
      author_fid: one.authorFid,
      score: one.score,
      placement: one.placement,
      fetched_at: one.fetchedAt,
      failure: one.failure,
    }));
    const none =
      'No mini app is listed: domains that casts embed are read in the background (CASTELLAN_CRAWL), `castellan miniapp fetch` reads one now.';
    output.list(found, none, {
      Domain: 'domain',
      Name: 'name',
      Author: (one) => digits(one.author_fid),
      Score: ({ score }) => (score === null ? null : score.toFixed(2)),
      Placement: 'placement',
      Read: 'fetched_at',
      Fault: 'failure',
    });
  },
});

export const miniAppShowCommand = defineCommand({
  name: 'miniapp show',
  summary: 'Show one mini app: its manifest as it is listed, when it was read and is read next, and what is wrong',
  examples: [
    ['castellan miniapp show miniapp.example', 'show all about it'],
    ["castellan miniapp show miniapp.example --json | jq '.manifest'", 'print its manifest only'],
  ],
  configure: (command) => command.argument('<domain>', DOMAIN),
  input: ({ args }) => ({ domain: domainOf(args[0]) }),
  run: async ({ openDatabase }, { domain }, output) => {
    const { selectDomainSummary } = await import('../../store/miniapp/catalog-domain.js');
    const found = await selectDomainSummary(await openDatabase(), domain);
    if (found === undefined) throw unknown(domain);
    const manifest = found.manifest === null ? null : (JSON.parse(found.manifest) as JsonObject);
    const value = {
      domain: found.domain,
      name: found.name,
      author_fid: found.authorFid,
      placement: found.placement,
      score: found.score,
      image_url: found.imageUrl,
      found_at: found.foundAt,
      fetched_at: found.fetchedAt,
      next_fetch_at: found.nextFetchAt,
      failures: found.failures,
      failure: found.failure,
      manifest,
    };
    const table = formatTable(
      ['What', 'Value'],
      [
        ['domain', value.domain],
        ['name', value.name],
        ['author', digits(value.author_fid)],
        ['placement', value.placement],
        ['score', value.score === null ? null : value.score.toFixed(6)],
        ['image', value.image_url],
        ['found', value.found_at],
        ['read', value.fetched_at],
        ['read next', value.next_fetch_at],
        ['attempts that failed', value.failures],
        ['fault', value.failure],
      ],
    );
    output.result(value, manifest === null ? table : [...table, JSON.stringify(manifest, null, 2)]);
  },
});

/** A command that places a mini app, or undoes that. */
const placementCommand = (name: string, placement: Placement, summary: string, done: string) =>
  defineCommand({
    name,
    summary,
    examples: [
      [`castellan ${name} miniapp.example`, `it ${done}`],
      [`castellan ${name} miniapp.example --undo`, 'it is listed like any other'],
    ],
    configure: (command) => command.argument('<domain>', DOMAIN).option('--undo', 'undoes it', false),
    input: ({ args, options }) => ({ domain: domainOf(args[0]), isUndone: options.undo === true }),
    run: async ({ openDatabase }, { domain, isUndone }, output) => {
      const { updatePlacement } = await import('../../store/miniapp/catalog-domain.js');
      const placed = isUndone ? null : placement;
      const isKnown = await updatePlacement(await openDatabase(), domain, placed);
      if (!isKnown) throw unknown(domain);
      output.result({ domain, placement: placed });
      output.note(`${domain} ${isUndone ? 'is listed like any other' : done}.`);
    },
  });

export const miniAppFeatureCommand = placementCommand(
  'miniapp feature',
  'featured',
  'Put a mini app at the beginning of the catalog',
  'is at the beginning of the catalog',
);

export const miniAppHideCommand = placementCommand(
  'miniapp hide',
  'hidden',
  'Leave a mini app out of all lists',
  'is in no list',
);
