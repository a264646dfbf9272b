import type { ServiceCore } from '../../app/service-core.js';
import type { Database } from '../../db/database.js';
import { countChannelActivity } from '../../job/channel-activity.js';
import { scoreMiniApps } from '../../job/mini-app-score.js';
import { scoreAccounts } from '../../job/score.js';
import { fromUnixMs } from '../../protocol/time.js';
import { sampleTime } from '../../sample/clock.js';
import { PICTURE_PATH } from '../../sample/picture/picture-address.js';
import { INVALIDATE_ALL, type Invalidation, insertChange } from '../../store/change.js';
import { selectStoreCounts } from '../../store/hub/info.js';
import { selectHubPosition, upsertHubPosition } from '../../store/hub/position.js';
import { selectAccounts } from '../../store/query/account.js';
import { countTopics } from '../../topic/run.js';
import type { Startup } from '../terminal/startup.js';
import { storeSampleChannels } from './sample-channel.js';

/** The progress of the sample is stored as a hub position, in the same transaction as its data. */
const SOURCE = { hub: 'sample', shard: 0 };
/** Written at the end, because planning the network again to count it would slow every start. */
const COMPLETE = { hub: 'sample', shard: 1, eventId: 1 };

/** The last protocol second of the sample, stored as an event id, so that an interrupted load resumes with it. */
const END = { hub: 'sample', shard: 2 };

/** The port under which mini apps live, stored the same way and for the same reason. */
const PORT = { hub: 'sample', shard: 3 };

/** Determines the bytes of the sample. */
export interface SampleSummary {
  /** Protocol seconds of the newest message. */
  readonly now: number;
  /** Base URL of pictures. */
  readonly pictures: string;
  /** Where mini apps live: `localhost:3000`. */
  readonly miniApps: string;
}

/** @returns the summary of an interrupted load, so that the same messages are signed again */
const readFacts = async (db: Database, fresh: SampleSummary): Promise<SampleSummary> => {
  const now = (await selectHubPosition(db, END.hub, END.shard)) ?? sampleTime();
  const port = await selectHubPosition(db, PORT.hub, PORT.shard);
  const miniApps = port === undefined ? fresh.miniApps : `localhost:${port}`;
  // The first batch contains the account of the first app, which has a picture.
  const [app] = await selectAccounts(db, [1]);
  const pictures = app?.pfpUrl?.split('/avatar/')[0];
  return { now, miniApps, pictures: pictures ?? fresh.pictures };
};

/**
 * Loads the sample network into an empty store, through verification and ingest. An interrupted load resumes at the
 * next start; a store with other data is left unchanged. The newest messages have the current time.
 * @param options `publicUrl` is the base URL of pictures; mini apps live at `port` of this machine, and `readPages`
 *   reads their manifests and the pages that casts embed; `changed` invalidates the caches of this process after scores
 *   change
 * @returns what determines the sample; undefined: the store does not have it
 */
export const loadSample = async (
  { db, ingest }: ServiceCore,
  options: {
    readonly publicUrl: string;
    readonly port: number;
    readonly readPages: (signal: AbortSignal) => Promise<void>;
    readonly startup: Startup;
    readonly signal: AbortSignal;
    readonly changed: (invalidation: Invalidation) => void;
  },
): Promise<SampleSummary | undefined> => {
  const { publicUrl, startup, signal, changed } = options;
  const fresh = {
    now: fromUnixMs(Date.now()),
    pictures: `${publicUrl}${PICTURE_PATH}`,
    miniApps: `localhost:${options.port}`,
  };
  if ((await selectHubPosition(db, COMPLETE.hub, COMPLETE.shard)) !== undefined) return readFacts(db, fresh);
  const loaded = await selectHubPosition(db, SOURCE.hub, SOURCE.shard);
  if (loaded === undefined && (await selectStoreCounts(db)).messages > 0) return undefined;
  startup.begin('Loading the sample network');
  const facts = loaded === undefined ? fresh : await readFacts(db, fresh);
  await upsertHubPosition(db, { ...END, eventId: facts.now });
  if (loaded === undefined) await upsertHubPosition(db, { ...PORT, eventId: options.port });
  const { generateSampleNetwork } = await import('../../sample/network.js');
  const network = generateSampleNetwork(facts);
  let done = 0;
  let running: Promise<unknown> = Promise.resolve();
  // The next batch is signed while one is stored.
  for await (const items of network.items()) {
    await running;
    if (signal.aborted) return undefined;
    startup.progress(done, network.total, 'messages');
    done += items.length;
    running = ingest.submit(items, { source: 'sample', announce: false, position: { ...SOURCE, eventId: done } });
    running.catch(() => undefined);
  }
  await running;
  const { SAMPLE_CHANNELS } = await import('../../sample/channel.js');
  await db.transaction(async (session) => {
    await storeSampleChannels(session, SAMPLE_CHANNELS, network.communities, facts.pictures);
    await insertChange(session, INVALIDATE_ALL);
  });
  changed(INVALIDATE_ALL);
  await scoreAccounts({ db, now: Date.now(), changed, signal });
  await countChannelActivity({ db, now: Date.now(), changed });
  await options.readPages(signal);
  await scoreMiniApps(db, Date.now());
  // A language model is asked at the next run: the start must not wait for it.
  await countTopics({ db, now: Date.now(), model: undefined, changed, warn: () => undefined, signal });
  await upsertHubPosition(db, COMPLETE);
  startup.progress(network.total, network.total, 'messages');
  return facts;
};
