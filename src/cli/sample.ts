import type { Core } from '../core.js';
import { scoreAccounts } from '../job/score.js';
import { toUnixMs } from '../protocol/time.js';
import type { SampleChannel } from '../sample/channel.js';
import { EVERYTHING_TOUCHED, type Touched } from '../store/change.js';
import { upsertChannels } from '../store/channel.js';
import type { ChannelRow } from '../store/channel-read.js';
import { selectStoreCounts } from '../store/hub-info.js';
import { selectHubPosition, upsertHubPosition } from '../store/hub-position.js';
import type { Output } from './output.js';

/** The sample stands among the hubs' positions, so that how far it is loaded is stored with what is loaded. */
const SOURCE = { hub: 'sample', shard: 0 };
/** Written when all of it is stored: planning the network again, just to count it, would slow every start. */
const COMPLETE = { hub: 'sample', shard: 1, eventId: 1 };

const channelRow = (channel: SampleChannel): ChannelRow => ({
  id: channel.id,
  parent_url: channel.parentUrl,
  url: channel.parentUrl,
  name: channel.name,
  description: channel.description,
  image_url: channel.imageUrl,
  lead_fid: channel.leadFid,
  created_at: new Date(toUnixMs(channel.createdAt)),
});

/**
 * Loads the sample network into an empty store, through verification and ingest like everything else. An interrupted
 * load is taken up at the next start; a store that has other data is left alone.
 *
 * @param changed tells caches of this process what the scores touched
 * @returns whether the sample is there.
 */
export async function loadSample(
  { db, ingest }: Core,
  output: Output,
  { signal, changed }: { readonly signal: AbortSignal; readonly changed: (touched: Touched) => void },
): Promise<boolean> {
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
  const { SAMPLE_CHANNELS } = await import('../sample/channel.js');
  await db.transaction((session) => upsertChannels(session, SAMPLE_CHANNELS.map(channelRow)));
  changed(EVERYTHING_TOUCHED);
  await scoreAccounts({ db, now: Date.now(), changed, signal });
  await upsertHubPosition(db, COMPLETE);
  output.progress(network.total, network.total, 'messages');
  return true;
}
