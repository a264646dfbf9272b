import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportItems } from '../src/ingest/file/export.js';
import type { FileItem } from '../src/ingest/file/format.js';
import { importFiles } from '../src/ingest/file/import.js';
import { openFileWriter } from '../src/ingest/file/write.js';
import { submitWithRetry } from '../src/ingest/hub/submit-retry.js';
import { fromUnixMs } from '../src/protocol/time.js';
import { type Shell, startShell } from './support/http-shell.js';
import { log } from './support/hub-fixture.js';
import { openTestIngest } from './support/ingest.js';
import { rounds } from './support/rounds.js';
import { StoreModel } from './support/store-model.js';
import { checkScripts, playScript, type Step, type StoreScript, scripts } from './support/store-script.js';
import { modelState, storedState } from './support/store-state.js';

/** Protocol seconds. */
const NOW = fromUnixMs(Date.now());

let folder: string;
interface Store {
  readonly shell: Shell;
  readonly apiKey: string;
}

const openStore = async (): Promise<Store> => {
  const shell = await startShell();
  return { shell, apiKey: await shell.key() };
};

/** What files are imported into, and what an export of that is imported into. */
let store: Store;
let copy: Store;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-model-'));
  store = await openStore();
  copy = await openStore();
});
afterAll(async () => {
  await store.shell.stop();
  await copy.shell.stop();
  await rm(folder, { recursive: true });
});

const write = async (name: string, items: readonly FileItem[]): Promise<string> => {
  const path = join(folder, name);
  const writer = openFileWriter(path, 'protobuf');
  for (const item of items) await writer.write(item);
  await writer.close();
  return path;
};

const load = async ({ shell }: Store, ...files: readonly string[]): Promise<void> => {
  const ingest = openTestIngest(shell.db);
  const { signal } = new AbortController();
  await importFiles({
    store: (items) => submitWithRetry(ingest, items, { source: 'file', announce: false }, { signal, log }),
    files,
    isRepeatable: true,
    signal,
    onFault: (file, { detail }) => expect.unreachable(`${file}: ${detail}`),
    onProgress: () => undefined,
  });
};

const shuffled = <Item>(items: readonly Item[], seed: number): Item[] =>
  fc.sample(fc.shuffledSubarray([...items], { minLength: items.length }), { seed, numRuns: 1 })[0] as Item[];

/** @returns a script and the model of a hub that was told it, item by item */
const play = async (steps: readonly Step[]) => {
  const script = await playScript(steps, NOW);
  const model = new StoreModel(NOW, ['link', 'key']);
  for (const told of script.told) model.tell([told]);
  return { script, model };
};

const expectSame = async ({ shell, apiKey }: Store, { fids }: StoreScript, model: StoreModel): Promise<void> =>
  expect(await storedState(shell, apiKey, fids)).toEqual(modelState(model, fids));

test('in one file, in any order', async () => {
  await checkScripts(scripts(60), rounds(12), async (steps) => {
    const { script, model } = await play(steps);
    await load(store, await write('whole', shuffled(model.inFile(), steps.length)));
    await expectSame(store, script, model);
  });
}, 120_000);

test('in several files that come one by one, and then all once more; and in an export of that, in any order', async () => {
  await checkScripts(scripts(60), rounds(9), async (steps) => {
    const { script, model } = await play(steps);
    const items = shuffled(model.inFile(), steps.length);
    const size = Math.ceil(items.length / 4);
    const files = await Promise.all(
      [0, 1, 2, 3].map((part) => write(`part ${part}`, items.slice(part * size, (part + 1) * size))),
    );
    for (const file of files) await load(store, file);
    await load(store, ...files);
    await expectSame(store, script, model);
    const exported: FileItem[] = [];
    for await (const page of exportItems(store.shell.db, script.fids)) exported.push(...page);
    await load(copy, await write('export', shuffled(exported, steps.length)));
    await expectSame(copy, script, model);
  });
}, 120_000);
