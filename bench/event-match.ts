import { createRandom } from '../src/sample/random.js';
import { importBuilt } from './build-import.js';
import { handleParentMessages } from './child.js';
import { withDatabase } from './target.js';

/** Matches the events of a log against webhooks, in a separate process, on one core. */
export interface MatchInput {
  readonly environment: Readonly<Record<string, string>>;
  /** Webhooks, and accounts that the filters of each name. */
  readonly webhooks: number;
  readonly fids: number;
  readonly seconds: number;
}

export interface MatchResult {
  readonly eventsPerSecond: number;
  /** Webhooks that an event matched, on average. */
  readonly matched: number;
}

const ROWS = 20_000;
/** Of a network as large as the public one: the lists of webhooks name accounts of all of it. */
const ACCOUNTS = 500_000;

handleParentMessages<MatchInput, MatchResult>(async ({ environment, webhooks, fids, seconds }) => {
  const { Matcher } = await importBuilt<typeof import('../src/event/matcher.js')>('event/matcher.js');
  const { decodeLog } = await importBuilt<typeof import('../src/event/log.js')>('event/log.js');
  const { selectEventLog } = await importBuilt<typeof import('../src/store/hub/event.js')>('store/hub/event.js');
  const events = await withDatabase(environment, async (db) =>
    decodeLog(await selectEventLog(db, 0, ROWS), (what, error) => {
      throw new Error(`${what} cannot be decoded`, { cause: error });
    }),
  );
  const random = createRandom('bench-match', webhooks);
  const matcher = new Matcher<number>();
  for (let webhook = 0; webhook < webhooks; webhook += 1) {
    const list = Array.from({ length: fids }, () => random.integer(ACCOUNTS) + 1);
    matcher.add(
      {
        'cast.created': { author_fids: list, mentioned_fids: list, parent_author_fids: list },
        'reaction.created': { target_fids: list },
        'follow.created': { target_fids: list },
      },
      webhook,
    );
  }
  let [matched, count] = [0, 0];
  const began = performance.now();
  while (performance.now() - began < seconds * 1000) {
    for (const event of events) matched += matcher.match(event, undefined, () => false).length;
    count += events.length;
  }
  return { eventsPerSecond: (1000 * count) / (performance.now() - began), matched: matched / count };
});
