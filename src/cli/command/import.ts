import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { unreadableFile } from '../../ingest/file/unreadable-file.js';
import type { IngestReport } from '../../ingest/ingest-outcome.js';
import type { IngestItem } from '../../ingest/item.js';
import { defineCommand, UsageError } from '../terminal/command.js';
import type { Output } from '../terminal/output.js';

/** Items verified and stored together. */
const BATCH_SIZE = 5_000;
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
] as const satisfies readonly (readonly [keyof IngestReport, string])[];

/** Outcomes that are shown even with a count of 0. */
const ALWAYS = new Set<keyof IngestReport>(['merged', 'known', 'superseded']);

class Tally {
  readonly #counts = new Map<keyof IngestReport, number>();
  readonly #invalid = new Map<string, number>();
  refused = 0;

  add(report: IngestReport): void {
    for (const [outcome] of OUTCOMES) this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + report[outcome]);
    for (const [reason, count] of Object.entries(report.invalid)) this.addInvalid(reason, count);
  }

  addInvalid(reason: string, count = 1): void {
    this.#invalid.set(reason, (this.#invalid.get(reason) ?? 0) + count);
  }

  /** @param network value of CASTELLAN_HUB_NETWORK */
  print(output: Output, network: string): void {
    const outcomes = OUTCOMES.map(([outcome, words]) => [outcome, words, this.#counts.get(outcome) ?? 0] as const)
      .filter(([outcome, , count]) => count > 0 || ALWAYS.has(outcome))
      .map(([, words, count]) => [words, count]);
    const reasons = [...this.#invalid].sort(([, a], [, b]) => b - a).map(([reason, count]) => [`  ${reason}`, count]);
    const invalid = [...this.#invalid.values()].reduce((sum, count) => sum + count, 0);
    const refused = this.refused > 0 ? [['could not be stored', this.refused]] : [];
    output.table(['Outcome', 'Messages'], [...outcomes, ['invalid', invalid], ...reasons, ...refused]);
    if (this.refused > 0) {
      output.note('What could not be stored is kept: `castellan refused list` says why, `refused retry` tries again.');
    }
    if (this.#invalid.has('bad_network')) {
      output.note(
        `These messages are for another network than this store, which takes ${network}: CASTELLAN_HUB_NETWORK names it.`,
      );
    }
    if (this.#invalid.has('unknown_signer')) {
      output.note(
        'Files often lack the onchain events that registered their signers: --trust-signers accepts those signers.',
      );
    }
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    const { size } = await stat(path);
    await access(path, constants.R_OK);
    return size;
  } catch (error) {
    throw unreadableFile(path, error);
  }
}

export const importCommand = defineCommand({
  name: 'import',
  store: 'create',
  summary: 'Read signed messages from files, verify them and store them',
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
    if (channels !== undefined) {
      await sizeOf(channels);
      const { importChannels } = await import('../../ingest/file/channel-import.js');
      const { db, changed } = await openCore();
      const report = await importChannels(db, await readFile(channels, 'utf8'), changed);
      output.note(`${report.channels} channels and ${report.members} members stored.`);
      if (report.kept.length > 0) {
        output.note(`Left as they are, because this server or a client decides about them: ${report.kept.join(', ')}.`);
      }
      if (files.length === 0) return;
    }
    const { readFileItems } = await import('../../ingest/file/read.js');
    const { submitWithRetry } = await import('../../ingest/hub/submit-retry.js');
    // Check all of them before storing anything, so that a typo in the last name does not waste the time for the
    // others.
    const sizes = await Promise.all(files.map(sizeOf));
    const total = Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / KILOBYTE);
    const { ingest } = await openCore();
    const tally = new Tally();
    const options = { source: 'file', announce: false, trustSigners } as const;
    const policy = { signal, log, onWait: waitingNote(output) };
    const batches = new BatchSubmitter(async (items) => {
      const { reports, refused } = await submitWithRetry(ingest, items, options, policy);
      for (const report of reports) tally.add(report);
      tally.refused += refused;
    });
    let before = 0;
    let faults = 0;
    for (const [index, file] of files.entries()) {
      for await (const entry of readFileItems(file)) {
        signal.throwIfAborted();
        if (entry.ok) {
          if (batches.add(entry.item)) {
            await batches.submit();
            output.progress(Math.floor((before + entry.bytes) / KILOBYTE), total, 'KB');
          }
          continue;
        }
        tally.addInvalid(entry.reason);
        if (++faults <= MAX_LISTED_ERRORS) output.note(`${file}, line ${entry.line}: ${entry.detail}`);
      }
      before += sizes[index] ?? 0;
    }
    await batches.finish();
    output.progress(total, total, 'KB');
    if (faults > MAX_LISTED_ERRORS) output.note(`${faults - MAX_LISTED_ERRORS} more lines could not be read.`);
    tally.print(output, config.hubNetwork);
    return tally.refused === 0 ? 0 : 1;
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

/** Collects items and stores them in batches; the next batch is read while one is being stored. */
class BatchSubmitter {
  readonly #store: (items: readonly IngestItem[]) => Promise<void>;
  #items: IngestItem[] = [];
  #running: Promise<void> = Promise.resolve();

  constructor(store: (items: readonly IngestItem[]) => Promise<void>) {
    this.#store = store;
  }

  /** @returns whether the batch is full */
  add(item: IngestItem): boolean {
    return this.#items.push(item) >= BATCH_SIZE;
  }

  /** Resolves when the previous batch is stored. @throws the error of the previous batch */
  async submit(): Promise<void> {
    const items = this.#items;
    this.#items = [];
    await this.#running;
    this.#running = items.length === 0 ? Promise.resolve() : this.#store(items);
    // It is awaited with the next batch; until then an error must not count as unhandled.
    this.#running.catch(() => undefined);
  }

  async finish(): Promise<void> {
    await this.submit();
    await this.#running;
  }
}
