import type { Core } from '../../service-core.js';
import { scoreAccounts } from '../../job/score.js';
import { fromUnixMs, toUnixMs } from '../../protocol/time.js';
import type { SampleChannel } from '../../sample/channel.js';
import { sampleTime } from '../../sample/clock.js';
import { PICTURE_PATH, pictureUrl } from '../../sample/picture-address.js';
import { selectAccounts } from '../../store/query/account.js';
import { EVERYTHING, type Invalidation } from '../../store/change.js';
import { upsertChannels } from '../../store/channel.js';
import type { ChannelRow } from '../../store/query/channel.js';
import type { Database } from '../../store/database.js';
import { selectStoreCounts } from '../../store/hub/info.js';
import { selectHubPosition, upsertHubPosition } from '../../store/hub-position.js';
import type { Output } from '../terminal/output.js';
import type { Startup } from '../terminal/startup.js';

/** The sample stands among the hubs' positions, so that how far it is loaded is stored with what is loaded. */
const SOURCE = { hub: 'sample', shard: 0 };
/** Written when all of it is stored: planning the network again, just to count it, would slow every start. */
const COMPLETE = { hub: 'sample', shard: 1, eventId: 1 };

/** The protocol second that the sample ends at, in the place of an event id: an interrupted load goes on with it. */
const END = { hub: 'sample', shard: 2 };

const channelRow = (channel: SampleChannel, pictures: string): ChannelRow => ({
  id: channel.id,
  parent_url: channel.parentUrl,
  url: channel.parentUrl,
  name: channel.name,
  description: channel.description,
  image_url: pictureUrl(pictures, 'channel', channel.id),
  lead_fid: channel.leadFid,
  created_at: new Date(toUnixMs(channel.createdAt)),
});

/** What the bytes of the sample follow from. */
interface SampleFacts {
  /** Protocol seconds of the newest message. */
  readonly now: number;
  /** Where pictures are shown. */
  readonly pictures: string;
}

/** @returns what an interrupted load was made with, so that the same messages are signed again, none of them twice. */
const readFacts = async (db: Database): Promise<Partial<SampleFacts>> => {
  const now = (await selectHubPosition(db, END.hub, END.shard)) ?? sampleTime();
  // The first batch holds the account of the first app, which has a picture.
  const [app] = await selectAccounts(db, [1]);
  const pictures = app?.pfp_url?.split('/avatar/')[0];
  return pictures === undefined ? { now } : { now, pictures };
};

/**
 * Loads the sample network into an empty store, through verification and ingest like everything else. An interrupted
 * load is taken up at the next start; a store that has other data is left alone. The newest messages are of now.
 *
 * @param options `publicUrl` is where the service shows the pictures; `changed` tells caches of this process what the
 *   scores changed
 * @returns whether the sample is there.
 */
export async function loadSample(
  { db, ingest }: Core,
  output: Output,
  options: {
    readonly publicUrl: string;
    readonly startup: Startup;
    readonly signal: AbortSignal;
    readonly changed: (invalidation: Invalidation) => void;
  },
): Promise<boolean> {
  const { publicUrl, startup, signal, changed } = options;
  if ((await selectHubPosition(db, COMPLETE.hub, COMPLETE.shard)) !== undefined) return true;
  const loaded = await selectHubPosition(db, SOURCE.hub, SOURCE.shard);
  if (loaded === undefined && (await selectStoreCounts(db)).messages > 0) return false;
  startup.begin('Loading the sample network');
  const fresh = { now: fromUnixMs(Date.now()), pictures: `${publicUrl}${PICTURE_PATH}` };
  const facts = loaded === undefined ? fresh : { ...fresh, ...(await readFacts(db)) };
  await upsertHubPosition(db, { ...END, eventId: facts.now });
  const { generateSampleNetwork } = await import('../../sample/network.js');
  const network = generateSampleNetwork(facts);
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
  const { SAMPLE_CHANNELS } = await import('../../sample/channel.js');
  await db.transaction((session) =>
    upsertChannels(
      session,
      SAMPLE_CHANNELS.map((channel) => channelRow(channel, facts.pictures)),
    ),
  );
  changed(EVERYTHING);
  await scoreAccounts({ db, now: Date.now(), changed, signal });
  await upsertHubPosition(db, COMPLETE);
  output.progress(network.total, network.total, 'messages');
  return true;
}
