import { UserDataType } from '@farcaster/core';
import type { Author } from '../../src/sample/author.js';
import type { Signed } from '../../src/sample/signed-message.js';
import { cases, type Front } from './front.js';
import type { Row } from './peer-case.js';

/** An account with a first and a later message of each set, and one without. */
interface State {
  readonly fid: number;
  readonly quiet: number;
  /** Protocol seconds of the first message of a set. */
  readonly at: Readonly<Record<string, number>>;
}

type Pairs = Readonly<Record<string, (author: Author) => Promise<readonly [Signed, Signed]>>>;

const TARGET = { fid: 4_711, hash: new Uint8Array(20).fill(9) };

/** Of each set a message that adds, and a later one that removes or, where nothing can be removed, adds. */
const PAIRS: Pairs = {
  Cast: async (author) => [author.cast({ text: 'gm' }), author.removeCast(TARGET.hash)],
  Reaction: async (author) => [author.react('like', TARGET), author.unreact('recast', TARGET)],
  Verification: async (author) => [
    await author.verifyEthereum(author.wallet(1)),
    author.removeVerification(0, author.wallet(2).address),
  ],
  UserData: async (author) => [
    author.userData(UserDataType.PFP, 'https://image.example/a.png'),
    author.userData(UserDataType.BIO, 'A bio'),
  ],
  Link: async (author) => [author.follow(TARGET.fid), author.unfollow(TARGET.fid + 1)],
};

const rowsOf = (set: string): Row<State>[] => {
  const row = (title: string, theirs: string, request: (state: State, at: number) => object): Row<State> => ({
    ...{ title, theirs, other: null, call: `getAll${set}MessagesByFid` },
    request: (state) => request(state, state.at[set] as number),
  });
  const [first, later, both] = ['[first]', '[later]', '[first, later]'];
  return [
    row('what adds and what removes, in the order of its time', both, ({ fid }) => ({ fid })),
    row('an account without messages of the set', '[]', ({ quiet }) => ({ fid: quiet })),
    row('a start is included, what is before it is not', later, ({ fid }, at) => ({ fid, startTimestamp: at + 1 })),
    row('a start without an end', both, ({ fid }, at) => ({ fid, startTimestamp: at })),
    row('an end is included, what is after it is not', first, ({ fid }, at) => ({ fid, stopTimestamp: at })),
    row('an end without a start', both, ({ fid }, at) => ({ fid, stopTimestamp: at + 1 })),
    row('a start of 0 is the beginning', both, ({ fid }, at) => ({ fid, startTimestamp: 0, stopTimestamp: at + 1 })),
  ];
};

const state = async (front: Front): Promise<State> => {
  const [alice, quiet] = [await front.account('alice', 5), await front.account('quiet')];
  const at: Record<string, number> = {};
  for (const [set, make] of Object.entries(PAIRS)) {
    const [first, later] = await make(alice);
    await front.write({ first, later });
    at[set] = first.timestamp;
  }
  return { fid: alice.fid, quiet: quiet.fid, at };
};

export const HUBBLE_BULK = cases({
  peer: 'hubble',
  file: 'bulkService.test.ts',
  id: 'hubble-bulk',
  over: 'grpc',
  state,
  rows: Object.keys(PAIRS).flatMap(rowsOf),
});
