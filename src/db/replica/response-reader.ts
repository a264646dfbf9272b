import type { Param, Reader, Statement } from '../statement.js';
import { type FallbackReason, fallbackReason } from './fallback.js';
import { type Need, NOTHING_SEEN, withAnswer } from './need.js';
import type { Replica } from './replica.js';
import type { ReplicaSession } from './session.js';

/** Sends the reads of one response. */
export interface FreshReader {
  /**
   * @param moment of the tag clock: the rows include everything that was known to this process then
   * @param caller see `Reader.read`
   * @throws what `Reader.read` throws
   */
  read<Row>(statement: Statement<Row>, params: readonly Param[], moment: number, caller?: string): Promise<Row[]>;
}

/** A connection that a response is read over. */
export interface Choice {
  readonly replica: Replica;
  readonly session: ReplicaSession;
}

export interface ReadRoute {
  readonly primary: Reader;
  /** @returns a session that has reached a mark with what is needed; why there is none */
  readonly find: (need: Need) => Promise<Choice | FallbackReason>;
  /** Sends a read to a replica, to be measured. */
  readonly around: <T>(statement: string, send: () => Promise<T>) => Promise<T>;
  /** Called for each read. @param target name of the replica, or `primary` */
  readonly sent: (target: string) => void;
  /** Called for each response that the primary answers instead of a replica. */
  readonly fellBack: (reason: FallbackReason) => void;
}

/**
 * Keeps to one connection as long as its server is fresh enough, so that later statements of a response see what earlier
 * ones saw; goes to another only with a mark that was asked for after the last answer; and keeps to the primary after the
 * first statement that had to go there.
 */
export const createResponseReader = ({ primary, find, around, sent, fellBack }: ReadRoute): FreshReader => {
  let choice: Choice | undefined;
  let seen = NOTHING_SEEN;
  let isOnPrimary = false;

  const fallBack = (reason: FallbackReason): void => {
    if (!isOnPrimary) fellBack(reason);
    isOnPrimary = true;
  };

  const choose = async (need: Need): Promise<void> => {
    if (isOnPrimary || choice?.session.reached(need)) return;
    const found = await find(need);
    if (typeof found === 'string') fallBack(found);
    else choice = found;
  };

  return {
    read: async (statement, params, moment, caller) => {
      const need = { moment, seen };
      await choose(need);
      // Nothing is awaited between this and the statement: a session that is lost meanwhile would open another one.
      const mark = isOnPrimary ? undefined : choice?.session.reached(need);
      if (choice === undefined || mark === undefined) fallBack('behind');
      else {
        const { replica, session } = choice;
        const { connection } = session;
        try {
          const rows = await around(statement.name, () => replica.read({ session, mark, caller }, statement, params));
          seen = withAnswer(seen, connection);
          sent(replica.name);
          return rows;
        } catch (error) {
          const reason = fallbackReason(error);
          if (reason === undefined) throw error;
          fallBack(reason);
        }
      }
      sent('primary');
      return primary.read(statement, params, caller);
    },
  };
};
