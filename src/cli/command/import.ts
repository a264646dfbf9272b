import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { FileReport } from '../../ingest/file/import.js';
import { unreadableFile } from '../../ingest/file/unreadable-file.js';
import type { IngestOutcome } from '../../ingest/ingest-outcome.js';
import { type CommandContext, defineCommand, UsageError } from '../terminal/command.js';
import type { JsonObject, Output } from '../terminal/output.js';
import { formatTable } from '../terminal/table.js';

/** Number of unreadable lines that are listed; the others are counted. */
const MAX_LISTED_ERRORS = 5;
const KILOBYTE = 1024;

const OUTCOMES = [
  ['merged', 'merged'],
  ['known', 'already known'],
  ['superseded', 'superseded by something newer'],
  ['kept', 'kept raw (of a kind that this version does not read)'],
  ['ignored', 'ignored (not among the indexed accounts)'],
  ['removed', 'removed'],
  ['absent', 'removal of what is not stored'],
] as const satisfies readonly (readonly [IngestOutcome['status'], string])[];

/** Outcomes that are shown even with a count of 0. */
const ALWAYS = new Set<IngestOutcome['status']>(['merged', 'known', 'superseded']);

/** @returns numbers of messages by what became of them, and of invalid ones by reason */
const countsOf = (report: FileReport): JsonObject => ({
  outcomes: Object.fromEntries(OUTCOMES.map(([outcome]) => [outcome, report.outcomes.get(outcome) ?? 0])),
  invalid: Object.fromEntries(report.invalid),
  refused: report.refused,
});

const linesOf = (report: FileReport): string[] => {
  const outcomes = OUTCOMES.map(([outcome, words]) => [outcome, words, report.outcomes.get(outcome) ?? 0] as const)
    .filter(([outcome, , count]) => count > 0 || ALWAYS.has(outcome))
    .map(([, words, count]) => [words, count]);
  const reasons = [...report.invalid].sort(([, a], [, b]) => b - a).map(([reason, count]) => [`  ${reason}`, count]);
  const invalid = [...report.invalid.values()].reduce((sum, count) => sum + count, 0);
  const refused = report.refused > 0 ? [['could not be stored', report.refused]] : [];
  return formatTable(['Outcome', 'Messages'], [...outcomes, ['invalid', invalid], ...reasons, ...refused]);
};

/** @param network value of CASTELLAN_HUB_NETWORK */
const noteAdvice = (report: FileReport, output: Output, network: string): void => {
  if (report.refused > 0) {
    output.note('What could not be stored is kept: `castellan refused list` says why, `refused retry` tries again.');
  }
  if (report.invalid.has('bad_network')) {
    output.note(
      `These messages are for another network than this store, which takes ${network}: CASTELLAN_HUB_NETWORK names it.`,
    );
  }
  if (report.invalid.has('unknown_signer')) {
    output.note(
      'Files often lack the onchain events that registered their signers: --trust-signers accepts those signers.',
    );
  }
};

const sizeOf = async (path: string): Promise<{ readonly size: number; readonly isFile: boolean }> => {
  try {
    const file = await stat(path);
    await access(path, constants.R_OK);
    return { size: file.size, isFile: file.isFile() };
  } catch (error) {
    throw unreadableFile(path, error);
  }
};

/** Reads the file of `--channels`. */
const readChannels = async (
  file: string,
  openCore: CommandContext['openCore'],
  output: Output,
): Promise<JsonObject> => {
  await sizeOf(file);
  const { importChannels } = await import('../../ingest/file/channel-import.js');
  const { db, changed } = await openCore();
  const report = await importChannels(db, await readFile(file, 'utf8'), changed);
  output.note(`${report.channels} channels and ${report.members} members stored.`);
  if (report.kept.length > 0) {
    output.note(`Left as they are, because this server or a client decides about them: ${report.kept.join(', ')}.`);
  }
  return { ...report };
};

export const importCommand = defineCommand({
  name: 'import',
  store: 'create',
  summary: 'Read signed messages from files, verify them and store them',
  examples: [
    ['castellan import all.ndjson.gz', 'store what `castellan export` wrote'],
    ["castellan import indexer.pb --trust-signers --json | jq '.outcomes.merged'", 'print how many messages were new'],
  ],
  configure: (command) =>
    command
      .argument('[file...]', 'newline-delimited JSON in hub form or length-delimited protobuf, gzip or plain')
      .option(
        '--trust-signers',
        'accept signers without a registration in the store; signatures are still verified',
        false,
      )
      .option('--channels <file>', 'names, images, leads and members of channels, as JSON (docs/operating.md)'),
  input: ({ args, options, cwd }) => {
    const files = (args[0] as readonly string[]).map((file) => resolve(cwd, file));
    const channels = options.channels === undefined ? undefined : resolve(cwd, String(options.channels));
    if (files.length === 0 && channels === undefined) throw new UsageError('Name a file to import.');
    return { files, trustSigners: options.trustSigners === true, ...(channels === undefined ? {} : { channels }) };
  },
  run: async ({ config, openCore, log, signal }, { files, trustSigners, channels }, output) => {
    const described = channels === undefined ? null : await readChannels(channels, openCore, output);
    if (files.length === 0) {
      output.result({ channels: described, outcomes: null, invalid: null, refused: null });
      return 0;
    }
    const { submitWithRetry } = await import('../../ingest/hub/submit-retry.js');
    const { importFiles } = await import('../../ingest/file/import.js');
    // Check all of them before storing anything, so that a typo in the last name does not waste the time for the
    // others.
    const sizes = await Promise.all(files.map(sizeOf));
    const starts = sizes.map((_, index) => sizes.slice(0, index).reduce((sum, { size }) => sum + size, 0));
    const total = Math.ceil(sizes.reduce((sum, { size }) => sum + size, 0) / KILOBYTE);
    const { ingest } = await openCore();
    const options = { source: 'file', announce: false, trustSigners } as const;
    const policy = { signal, log, onWait: waitingNote(output) };
    let faults = 0;
    let passes = 1;
    const report = await importFiles({
      store: (items) => submitWithRetry(ingest, items, options, policy),
      files,
      isRepeatable: sizes.every(({ isFile }) => isFile),
      signal,
      onFault: (file, { line, detail }) => {
        if (++faults <= MAX_LISTED_ERRORS) output.note(`${file}, line ${line}: ${detail}`);
      },
      onProgress: (file, bytes, pass) => {
        if (pass > passes) output.note('Trying again what waited for a later item.');
        passes = pass;
        output.progress(Math.floor(((starts[file] ?? 0) + bytes) / KILOBYTE), total, 'KB');
      },
    });
    output.progress(total, total, 'KB');
    if (faults > MAX_LISTED_ERRORS) output.note(`${faults - MAX_LISTED_ERRORS} more lines could not be read.`);
    output.result({ channels: described, ...countsOf(report) }, linesOf(report));
    noteAdvice(report, output, config.hubNetwork);
    return report.refused === 0 ? 0 : 1;
  },
});

/** @returns a callback that notes once for each new cause that the import waits */
const waitingNote = (output: Output): ((error: unknown) => void) => {
  let said: string | undefined;
  return (error) => {
    const cause = error instanceof Error ? error.message : String(error);
    if (cause !== said)
      output.note(`The database does not store anything now (${cause}); waiting. Ctrl-C ends the import.`);
    said = cause;
  };
};
