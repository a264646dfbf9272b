import type { ServiceCore } from '../../app/service-core.js';
import { pause } from '../../ingest/hub/retry.js';
import type { IngestItem } from '../../ingest/item.js';
import { selectStorage } from '../../ingest/kind/storage.js';
import type { Log } from '../../log.js';
import { MessageSet } from '../../protocol/conflict.js';
import { storageLimit } from '../../protocol/storage-limit.js';
import { fromUnixMs } from '../../protocol/time.js';
import { encodeEnvelope } from '../../protocol/wire/envelope.js';
import { type Author, SAMPLE_SEED } from '../../sample/author.js';
import { type Act, OBSERVER, planAct } from '../../sample/living/act.js';
import { sceneOf } from '../../sample/living/scene.js';
import { createRandom } from '../../sample/random.js';
import { planUsers } from '../../sample/sample-user.js';
import type { Signed } from '../../sample/signed-message.js';
import { selectStoreUse } from '../../store/hub/message-count.js';
import { selectHubPosition } from '../../store/hub/position.js';
import {
  selectFollowedFids,
  selectMessagesSignedSince,
  selectRecentCasts,
} from '../../store/protocol/sample-activity.js';
import { findSampleAuthors } from './sample-author.js';

/** The number of the last act is stored as a hub position, in the same transaction as its message. */
const ACTS = { hub: 'sample', shard: 4 };

const PAUSE_MS = { shortest: 2_000, longest: 6_000 };
/** After an act that failed, which may be the database. */
const FAILURE_PAUSE_MS = 60_000;
/** Casts that an act may refer to. */
const SCENE_CASTS = 120;
/** Messages that stay; after that, the oldest ones are pruned: about three hours. */
const MAX_MESSAGES = 3_000;
const PRUNED_AT_ONCE = 20;
/** Share of its storage that an account keeps for whoever uses the service. */
const FREE_SHARE = 0.1;
/** How many acts are planned for one that an account has room for, and that changes something. */
const PLANS = 5;

const SET_OF: Readonly<Record<Act['kind'], number>> = {
  cast: MessageSet.cast,
  react: MessageSet.reaction,
  follow: MessageSet.link,
};

export interface LivingOptions {
  /** Base URL of pictures. */
  readonly pictures: string;
  /** Protocol seconds of the newest message of the sample. */
  readonly since: number;
  /** How many accounts the sample has. */
  readonly accounts?: number;
  readonly log: Pick<Log, 'debug' | 'warn'>;
  /** Unix milliseconds. */
  readonly clock?: () => number;
  /** As `pause`. */
  readonly wait?: typeof pause;
  readonly maxMessages?: number;
}

const sign = (author: Author, act: Act, at: number): Signed => {
  if (act.kind === 'follow') return author.follow(act.target, at);
  if (act.kind === 'react') return author.react(act.type, act.target, at);
  const { text, embeds, parent } = act;
  return author.cast({ text, embeds, at, ...(parent !== undefined && { parent }) });
};

/**
 * Makes the accounts of the sample network act: one message every few seconds, signed with their own keys and submitted
 * like those of clients. The number of its messages is bounded: the oldest ones are removed as hubs prune.
 * @returns `start` and `stop`; `act` does what is next at once
 */
export const createLivingNetwork = ({ db, ingest, network }: ServiceCore, options: LivingOptions) => {
  const { pictures, since, accounts = 300, log, clock = Date.now, wait = pause, maxMessages = MAX_MESSAGES } = options;
  const people = planUsers(SAMPLE_SEED, accounts, since);
  const plan = { seed: SAMPLE_SEED, people, pictures };
  const stopping = new AbortController();
  /** Bytes of the messages, the oldest first. */
  const messages: Uint8Array[] = [];
  let authors: ReadonlyMap<number, Author> = new Map();
  let counter = 0;
  let isFailing = false;
  let running: Promise<void> | undefined;

  const prepare = async (): Promise<void> => {
    if (authors.size > 0) return;
    const found = await findSampleAuthors(
      db,
      people.map(({ fid }) => fid),
    );
    counter = (await selectHubPosition(db, ACTS.hub, ACTS.shard)) ?? 0;
    const signers = [...found.values()].map(({ signer }) => signer);
    messages.push(...(await selectMessagesSignedSince(db, since, signers)).map(encodeEnvelope));
    authors = found;
  };

  const hasRoom = async ({ fid, kind }: Act): Promise<boolean> => {
    const set = SET_OF[kind];
    const units = (await selectStorage(db, [fid], network, clock())).get(fid);
    const limit = units === undefined ? 0 : storageLimit(set, units.fillable);
    const used = (await selectStoreUse(db, fid)).find(({ messageSet }) => messageSet === set)?.used ?? 0;
    return used < Math.floor(limit * (1 - FREE_SHARE));
  };

  const isNew = async (act: Act): Promise<boolean> =>
    act.kind !== 'follow' || !(await selectFollowedFids(db, act.fid)).includes(act.target);

  const next = async (): Promise<Act | undefined> => {
    const scene = sceneOf(await selectRecentCasts(db, OBSERVER, SCENE_CASTS));
    for (let attempt = 0; attempt < PLANS; attempt++) {
      counter++;
      const act = planAct(plan, scene, counter);
      if (authors.has(act.fid) && (await hasRoom(act)) && (await isNew(act))) return act;
    }
    return undefined;
  };

  const prune = async (): Promise<void> => {
    if (messages.length < maxMessages + PRUNED_AT_ONCE) return;
    const oldest = messages.splice(0, PRUNED_AT_ONCE);
    const items = oldest.map((wire): IngestItem => ({ kind: 'removal', reason: 'prune', wire }));
    await ingest.submit(items, { source: 'local', announce: true });
  };

  /** @throws the database's error */
  const act = async (): Promise<void> => {
    await prepare();
    const planned = await next();
    if (planned === undefined) return;
    const { item, wire } = sign(authors.get(planned.fid) as Author, planned, fromUnixMs(clock()));
    const position = { ...ACTS, eventId: counter };
    const { outcomes } = await ingest.submit([item], { source: 'local', announce: true, position });
    if (outcomes[0]?.status === 'merged') messages.push(wire);
    else log.debug({ outcome: outcomes[0], act: counter }, 'a message of the living sample network was not stored');
    await prune();
  };

  const run = async (): Promise<void> => {
    const random = createRandom(SAMPLE_SEED, 'pauses', clock());
    const pauseMs = (): number => (isFailing ? FAILURE_PAUSE_MS : random.between(PAUSE_MS.shortest, PAUSE_MS.longest));
    while (await wait(pauseMs(), stopping.signal)) {
      try {
        await act();
        isFailing = false;
      } catch (error) {
        if (!isFailing) log.warn({ err: error }, 'the sample network stands still; it is tried again');
        isFailing = true;
      }
    }
  };

  return {
    act,
    start: (): void => {
      running ??= run();
    },
    /** Resolves when nothing is submitted any more. */
    stop: async (): Promise<void> => {
      stopping.abort();
      await running;
    },
  };
};
