import type { Core } from '../core.js';
import { generateSampleNetwork } from '../sample/network.js';
import { selectStoreCounts } from '../store/hub-info.js';
import { selectHubPosition } from '../store/hub-position.js';
import type { Output } from './output.js';

/** The sample stands among the hubs' positions, so that how far it is loaded is stored with what is loaded. */
const SOURCE = { hub: 'sample', shard: 0 };

/**
 * Loads the sample network into an empty store, through verification and ingest like everything else. An interrupted
 * load is taken up at the next start; a store that has other data is left alone.
 *
 * @returns whether the sample is there.
 */
export async function loadSample({ db, ingest }: Core, output: Output, signal: AbortSignal): Promise<boolean> {
  const loaded = await selectHubPosition(db, SOURCE.hub, SOURCE.shard);
  if (loaded === undefined && (await selectStoreCounts(db)).messages > 0) return false;
  const network = generateSampleNetwork();
  if (loaded !== undefined && loaded >= network.total) return true;
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
  output.progress(network.total, network.total, 'messages');
  return true;
}
