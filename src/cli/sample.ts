import type { Core } from '../core.js';
import { selectStoreCounts } from '../store/hub-info.js';
import { selectHubPosition, upsertHubPosition } from '../store/hub-position.js';
import type { Output } from './output.js';

/** The sample stands among the hubs' positions, so that how far it is loaded is stored with what is loaded. */
const SOURCE = { hub: 'sample', shard: 0 };
/** Written when all of it is stored: planning the network again, just to count it, would slow every start. */
const COMPLETE = { hub: 'sample', shard: 1, eventId: 1 };

/**
 * Loads the sample network into an empty store, through verification and ingest like everything else. An interrupted
 * load is taken up at the next start; a store that has other data is left alone.
 *
 * @returns whether the sample is there.
 */
export async function loadSample({ db, ingest }: Core, output: Output, signal: AbortSignal): Promise<boolean> {
  if ((await selectHubPosition(db, COMPLETE.hub, COMPLETE.shard)) !== undefined) return true;
  const loaded = await selectHubPosition(db, SOURCE.hub, SOURCE.shard);
  if (loaded === undefined && (await selectStoreCounts(db)).messages > 0) return false;
  const { generateSampleNetwork } = await import('../sample/network.js');
  const network = generateSampleNetwork();
  let done = 0;
  let running: Promise<unknown> = Promise.resolve();
  // The next batch is signed while one is stored.
  for await (const items of network.items()) {
    await running;
    if (signal.aborted) return false;
    output.progress(done, network.total, 'messages');
    done += items.length;
    running = ingest.submit(items, { source: 'sample', announce: false, position: { ...SOURCE, eventId: done } });
    running.catch(() => undefined);
  }
  await running;
  await upsertHubPosition(db, COMPLETE);
  output.progress(network.total, network.total, 'messages');
  return true;
}
