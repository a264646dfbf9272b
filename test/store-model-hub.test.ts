import { afterAll, beforeAll, expect, test } from 'vitest';
import { HubReader } from '../src/ingest/hub/reader.js';
import { syncFromHub } from '../src/ingest/hub/requested-sync.js';
import type { Ingest } from '../src/ingest/pipeline/pipeline.js';
import { blockStart } from '../src/protocol/event/place.js';
import { fromUnixMs } from '../src/protocol/time.js';
import { FakeHub } from './support/fake-hub.js';
import { type Shell, startShell } from './support/http-shell.js';
import { countingMeter, log, until, waitUntilSynced } from './support/hub-fixture.js';
import { openTestIngest } from './support/ingest.js';
import { rounds } from './support/rounds.js';
import { StoreModel, type Streamed } from './support/store-model.js';
import { ACTS, checkScripts, playScript, type Step, type StoreScript, scripts } from './support/store-script.js';
import { modelState, storedState } from './support/store-state.js';

/** Protocol seconds. */
const NOW = fromUnixMs(Date.now());
const SHARDS = [1, 2];

let shell: Shell;
let apiKey: string;
let ingest: Ingest;
let hub: FakeHub;
let reader: HubReader;
const { meter, counts } = countingMeter();

const startReader = (): void => {
  reader = new HubReader({ address: hub.address, db: shell.db, ingest, log, meter });
};

beforeAll(async () => {
  shell = await startShell();
  apiKey = await shell.key();
  ingest = openTestIngest(shell.db);
  hub = new FakeHub(SHARDS);
  await hub.start();
  startReader();
  await until(() => expect(hub.listeners).toBe(SHARDS.length));
  await waitUntilSynced(shell.db);
});
afterAll(async () => {
  await reader.stop();
  hub.stop();
  await shell.stop();
});

/** How many events there are to store; those that are read twice count twice. */
let due = 0;
const eventsFrom = (shard: number, id: number): number =>
  hub.state.logs.get(shard)?.events.filter((event) => event.id >= id).length ?? 0;

/** Waits until all events are stored. */
const isStored = () => until(() => expect(counts.stored).toBe(due));

/** Streams what a hub says. @param size of the parts, each of which is stored before the next */
const stream = async (items: readonly Streamed[], size: number): Promise<void> => {
  for (let start = 0; start < items.length; start += size) {
    const heads = SHARDS.map((shard) => [shard, hub.headId(shard) + 1] as const);
    hub.tell(...items.slice(start, start + size));
    due += heads.reduce((sum, [shard, id]) => sum + eventsFrom(shard, id), 0);
    await isStored();
  }
};

/** @returns the number of the newest block of each shard */
const heightsNow = (): ReadonlyMap<number, number> =>
  new Map(SHARDS.map((shard) => [shard, hub.state.logs.get(shard)?.height ?? 0]));

/** Reads the blocks of each shard again from these on. */
const repeatFrom = async (heights: ReadonlyMap<number, number>): Promise<void> => {
  await reader.stop();
  for (const [shard, height] of heights) {
    const id = blockStart(height);
    await shell.db.run('update hub_position set event_id = $2 where shard = $1', [shard, id]);
    due += eventsFrom(shard, id);
  }
  startReader();
  await isStored();
};

/** @returns a script and the model of a hub that was told it, item by item */
const play = async (steps: readonly Step[]) => {
  const script = await playScript(steps, NOW);
  const model = new StoreModel(NOW);
  for (const told of script.told) model.tell([told]);
  return { script, model };
};

const expectSame = async (script: StoreScript, model: StoreModel): Promise<void> =>
  expect(await storedState(shell, apiKey, script.fids)).toEqual(modelState(model, script.fids));

test.each([
  [8, 6],
  [1_000, 12],
])(
  'events in parts of %d',
  async (size, count) => {
    await checkScripts(scripts(60), rounds(count), async (steps) => {
      const { script, model } = await play(steps);
      await stream(model.streamed, size);
      await expectSame(script, model);
    });
  },
  120_000,
);

test('a key whose messages have other times than their order says', async () => {
  const step = { who: 0, what: 1, more: 1, key: 0, late: 0 } as const;
  const late = { ...step, late: 900 };
  const { script, model } = await play([
    { ...step, act: 'keyAdd' },
    { ...late, act: 'keyAdd' },
    { ...late, act: 'keySelfRemove' },
    { ...step, act: 'keyAdd', what: 2 },
    { ...step, act: 'keySelfRemove', what: 2 },
    { ...late, act: 'keyAdd', what: 2 },
  ]);
  expect(model.streamed.slice(-6).map(({ kind }) => kind)).toEqual(Array(6).fill('message'));
  const heights = heightsNow();
  await stream(model.streamed, 1);
  await expectSame(script, model);
  await repeatFrom(heights);
  await expectSame(script, model);
});

test('events that are read again from an earlier one', async () => {
  await checkScripts(scripts(60), rounds(9), async (steps) => {
    const { script, model } = await play(steps);
    const middle = Math.floor(model.streamed.length / 2);
    await stream(model.streamed.slice(0, middle), 1_000);
    const heights = heightsNow();
    await stream(model.streamed.slice(middle), 20);
    await repeatFrom(heights);
    await expectSame(script, model);
  });
}, 120_000);

/** No call of a hub lists messages about keys, nor keys that were removed. */
const LISTED = ACTS.filter((act) => !act.startsWith('key'));

test('accounts that are listed after events were lost', async () => {
  await checkScripts(scripts(60, LISTED), rounds(9), async (steps) => {
    const { script, model } = await play(steps);
    const middle = Math.floor(model.streamed.length / 2);
    await stream(model.streamed.slice(0, middle), 1_000);
    hub.state.record(model.streamed.slice(middle), true);
    const { signal } = new AbortController();
    const parts = { address: hub.address, db: shell.db, ingest, log, signal, onProgress: () => undefined };
    expect(await syncFromHub({ ...parts, fids: script.fids })).toEqual({ refused: 0 });
    await expectSame(script, model);
  });
}, 120_000);
