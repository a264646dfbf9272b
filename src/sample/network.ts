import type { IngestItem } from '../ingest/item.js';
import { type Author, author, SAMPLE_SEED } from './author.js';
import { castSteps, planCasts } from './cast.js';
import { planCommunities, type SampleCommunity } from './channel-community.js';
import { sampleTime } from './clock.js';
import { EXAMPLE_ACCOUNTS, EXAMPLE_CASTS, EXAMPLE_REACTIONS, planExamples } from './example-data.js';
import { planLinks } from './link.js';
import { planMiniAppCasts } from './mini-app.js';
import { NO_PICTURES } from './picture/picture-address.js';
import type { Step } from './planned-message.js';
import { planProfile } from './profile.js';
import { planReactions } from './reaction.js';
import { type Person, planUsers } from './sample-user.js';
import type { Signed } from './signed-message.js';
import type { KeyRequester } from './verification-claim.js';

export interface SampleOptions {
  /** Determines everything; the same options give the same bytes on every machine. */
  readonly seed?: string;
  readonly accounts?: number;
  /** Casts that remain; removed ones are additional. */
  readonly casts?: number;
  /** Likes and recasts that remain. */
  readonly reactions?: number;
  /** Follows that remain. */
  readonly follows?: number;
  /** Protocol seconds of the newest message; by default `sampleTime()`. */
  readonly now?: number;
  /** Base URL of pictures, for `pictureUrl`; by default a host that does not exist. */
  readonly pictures?: string;
  /** Where mini apps live, for `miniAppDomain`; absent: nobody casts any. Their casts are additional. */
  readonly miniApps?: string;
}

export interface SampleNetwork {
  /** Number of items that `items` yields in all. */
  readonly total: number;
  /** Accounts that behave like spammers, to test scores. */
  readonly spamFids: readonly number[];
  /** Who follows and joins the channels, which are not protocol messages; none in a network without their leads. */
  readonly communities: readonly SampleCommunity[];
  /**
   * Signs messages as they are read, in an order that hubs accept: first all accounts (registration, storage, signer,
   * username, profile), then their activity by time. It can be read again from the start.
   */
  items(batchSize?: number): AsyncGenerator<IngestItem[]>;
}

/** Messages per unit of storage bought since 2025. */
const UNIT = { casts: 100, links: 200, reactions: 200 };

/** Plans a network of accounts that write, like and follow, and signs it as it is read. */
export const generateSampleNetwork = (options: SampleOptions = {}): SampleNetwork => {
  const { seed = SAMPLE_SEED, accounts = 300, casts = 5000, reactions = 15_000, follows = 8000 } = options;
  const now = options.now ?? sampleTime();
  const pictures = options.pictures ?? NO_PICTURES;
  const people = planUsers(seed, accounts, now);
  const hasExamples = accounts >= EXAMPLE_ACCOUNTS && casts >= EXAMPLE_CASTS && reactions >= EXAMPLE_REACTIONS;
  const planned = planCasts(seed, people, hasExamples ? casts - EXAMPLE_CASTS : casts, now, pictures);
  const examples = hasExamples ? planExamples(planned.length) : { casts: [], reactions: [] };
  const miniApps =
    options.miniApps === undefined
      ? []
      : planMiniAppCasts(people, { seed, now, first: planned.length + examples.casts.length, host: options.miniApps });
  const sampledReactions = hasExamples ? reactions - EXAMPLE_REACTIONS : reactions;
  const activity = {
    casts: [...examples.casts, ...castSteps(planned), ...miniApps],
    reactions: [...examples.reactions, ...planReactions(seed, people, planned, sampledReactions, now)],
    links: planLinks(seed, people, follows, now),
  };
  const apps = new Map<number, KeyRequester>();
  const requester = (fid: number): KeyRequester => {
    const known = apps.get(fid) ?? { fid, wallet: author({ seed, fid }).custody };
    apps.set(fid, known);
    return known;
  };
  const units = unitsByFid(activity);
  const profiles = people.flatMap((person) =>
    planProfile(person, { seed, now, people, pictures, requester, units: units.get(person.fid) ?? 1 }),
  );
  // Sorting is stable, so a cast remains before its removal and its likes of the same second.
  const events = Object.values(activity)
    .flat()
    .sort((a, b) => a.at - b.at);
  const steps = [...profiles, ...events];
  return {
    total: steps.length,
    communities: planCommunities(seed, people, now),
    spamFids: people.filter((person) => person.isSpam).map((person) => person.fid),
    items: (batchSize = 1000) => sign(steps, writers(seed, people), batchSize),
  };
};

/** Clients differ in the member of the message that contains its data, and so do the apps of the sample. */
const writers = (seed: string, people: readonly Person[]): Map<number, Author> =>
  new Map(
    people.map(({ fid, appFid }) => [fid, author({ seed, fid, dataForm: appFid === 2 ? 'data_bytes' : 'data' })]),
  );

async function* sign(
  steps: readonly Step[],
  authors: ReadonlyMap<number, Author>,
  batchSize: number,
): AsyncGenerator<IngestItem[]> {
  const written: Signed[] = [];
  for (let start = 0; start < steps.length; start += batchSize) {
    const batch: IngestItem[] = [];
    for (const step of steps.slice(start, start + batchSize)) {
      batch.push(await step.make(authors.get(step.fid) as Author, written));
    }
    yield batch;
  }
}

/** @returns the storage units that each account needs, so that hubs prune nothing */
const unitsByFid = (activity: Readonly<Record<keyof typeof UNIT, readonly Step[]>>): Map<number, number> => {
  const needed = new Map<number, number>();
  for (const store of Object.keys(UNIT) as (keyof typeof UNIT)[]) {
    const counts = new Map<number, number>();
    for (const { fid } of activity[store]) counts.set(fid, (counts.get(fid) ?? 0) + 1);
    for (const [fid, count] of counts) {
      needed.set(fid, Math.max(needed.get(fid) ?? 1, Math.ceil(count / UNIT[store])));
    }
  }
  return needed;
};
