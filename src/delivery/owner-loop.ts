import { createPollingLoop } from './polling-loop.js';

/**
 * How soon an owner may have its next turn whose work ended with something left: it was limited, or one piece at a time.
 */
const NEXT_TURN_MS = 250;
/** How long work under way may go on when the loop stops. */
const STOP_MS = 2_000;

interface Busy<Owner> {
  readonly owner: Owner;
  readonly done: Promise<void>;
}

/**
 * Background work for each owner of something due, such as a webhook, beside that for the others: a slow receiver delays
 * no other. For one owner, one piece of work runs at a time.
 * @param options `selectDue` finds owners of something due, in the order in which they begin; `work` returns true if more
 *   may be due for its owner; `hasRoom` says whether the work for an owner may begin beside that for the busy ones, by
 *   default always; `failed` is called with errors
 */
export const createOwnerLoop = <Owner extends { readonly id: string }>(options: {
  readonly everyMs: number;
  readonly selectDue: () => Promise<readonly Owner[]>;
  readonly work: (owner: Owner) => Promise<unknown>;
  readonly hasRoom?: (owner: Owner, busy: readonly Owner[]) => boolean;
  readonly failed: (error: unknown) => void;
}) => {
  const { everyMs, selectDue, work, hasRoom = () => true, failed } = options;
  const busy = new Map<string, Busy<Owner>>();
  const ending = new AbortController();

  const run = async (owner: Owner): Promise<void> => {
    const isMore = await work(owner).catch(failed);
    busy.delete(owner.id);
    if (isMore === true) rounds.pollNow();
    else rounds.pollIn(NEXT_TURN_MS);
  };

  /** Begins, unless it is running; resolves when it has ended. */
  const begin = (owner: Owner): Promise<void> => {
    const done = busy.get(owner.id)?.done ?? run(owner);
    busy.set(owner.id, { owner, done });
    return done;
  };

  const look = async (): Promise<void> => {
    for (const owner of await selectDue()) {
      if (rounds.isStopping) return;
      const others = [...busy.values()].map((one) => one.owner);
      if (!busy.has(owner.id) && hasRoom(owner, others)) void begin(owner);
    }
  };
  const rounds = createPollingLoop({ everyMs, round: look, failed });

  return {
    begin,
    /** Looks for what is due now, without waiting for the work. */
    pollNow: rounds.pollNow,
    /** Looks in so many milliseconds, unless it looks before. */
    pollIn: rounds.pollIn,
    /** Looks now, and at the latest `everyMs` after each look. */
    start: rounds.start,
    /** True once `stop` was called; running work should end. */
    get isStopping(): boolean {
      return rounds.isStopping;
    },
    /** Aborts when `stop` has waited for two seconds: a receiver that never answers does not hold it up. */
    signal: ending.signal,
    /** Waits for the work in progress. */
    stop: async (): Promise<void> => {
      const late = setTimeout(() => ending.abort(new Error('The service stops.')), STOP_MS);
      try {
        await rounds.stop();
        await Promise.all([...busy.values()].map(({ done }) => done));
      } finally {
        clearTimeout(late);
      }
    },
  };
};
