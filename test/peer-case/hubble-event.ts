import { HubEventType } from '@farcaster/core';
import type { Author } from '../../src/sample/author.js';
import { cases, type Front } from './front.js';
import type { TriedRow } from './peer-case.js';
import { ONE_SHARD } from './reason.js';
import { newestId, readStream, type StreamRequest, showStream } from './stream.js';

const { MERGE_MESSAGE, MERGE_USERNAME_PROOF, MERGE_ON_CHAIN_EVENT } = HubEventType;
const ALL_TYPES = [MERGE_MESSAGE, MERGE_USERNAME_PROOF, MERGE_ON_CHAIN_EVENT];

interface State {
  readonly front: Front;
  /** Has the event that ends each reading. */
  readonly last: Author;
}

type Step = 'registration' | 'key' | 'rent' | 'proof' | 'cast' | 'like';

let names = 0;

/** Stores what happens to a new account. @returns a function that stores some of it */
const newAccount = (front: Front) => {
  const alice = front.stranger('alice');
  const steps: Record<Step, () => Promise<unknown>> = {
    registration: async () => front.write({ registration: alice.register() }),
    key: async () => front.write({ key: await alice.addSigner() }),
    rent: async () => front.write({ rent: alice.rent(1) }),
    proof: async () => {
      names += 1;
      const proof = await alice.fnameProof(`name${names}`);
      front.labels.nameProof(`name${names}`, 'proof');
      await front.store(proof);
    },
    cast: async () => front.write({ cast: alice.cast({ text: 'gm' }) }),
    like: async () => front.write({ like: alice.react('like', 'https://like.example/') }),
  };
  return async (...wanted: readonly Step[]): Promise<void> => {
    for (const step of wanted) await steps[step]();
  };
};

type Do = ReturnType<typeof newAccount>;

/** @param before stores what happens before the subscription @returns what is asked for then */
const row = (
  title: string,
  theirs: string,
  before: (act: Do, front: Front) => Promise<StreamRequest>,
  meanwhile: readonly Step[] = [],
  from?: Step,
): TriedRow<State> => ({
  ...{ title, theirs, other: null, call: 'subscribe' },
  run: async ({ front, last }) => {
    const act = newAccount(front);
    const events = await readStream(front, last, await before(act, front), () => act(...meanwhile));
    return showStream(front, events, from);
  },
});

const ACCOUNT = ['registration', 'key', 'rent'] as const;

/** hubble gave each account to one of two streams, and the events of chain and names to the first. */
const shardRow = (title: string, theirs: string, request: StreamRequest, isLater: boolean): TriedRow<State> => ({
  ...{ title, theirs, ours: '10 events', reason: ONE_SHARD, other: null, call: 'subscribe' },
  run: async ({ front, last }) => {
    const [first, second] = [newAccount(front), newAccount(front)];
    const all = ['registration', 'key', 'rent', 'cast', 'proof'] as const;
    const happen = async () => {
      await first(...all);
      await second(...all);
    };
    if (!isLater) return `${(await readStream(front, last, request, happen)).length} events`;
    const fromId = (await newestId(front)) + 1;
    await happen();
    return `${(await readStream(front, last, { ...request, fromId })).length} events`;
  },
});

export const HUBBLE_EVENT = cases({
  peer: 'hubble',
  file: 'eventService.test.ts',
  id: 'hubble-event',
  over: 'grpc',
  state: async (front): Promise<State> => ({ front, last: await front.account('last') }),
  rows: [
    row(
      'no types: what happens from now on, in its order',
      '[registration, key, rent, cast, proof]',
      async () => ({}),
      [...ACCOUNT, 'cast', 'proof'],
    ),
    row('one type: nothing else', '[cast]', async () => ({ eventTypes: [MERGE_MESSAGE] }), [
      ...ACCOUNT,
      'proof',
      'cast',
    ]),
    row('several types', '[registration, key, rent, proof, cast]', async () => ({ eventTypes: ALL_TYPES }), [
      ...ACCOUNT,
      'proof',
      'cast',
    ]),
    row(
      'from an id: that event, those after it, and what happens then',
      '[key, rent, cast, proof, like]',
      async (act, front) => {
        await act('registration', 'key');
        const fromId = await newestId(front);
        await act('rent', 'cast');
        return { fromId };
      },
      ['proof', 'like'],
    ),
    row(
      'from the id 1, which is before all: the whole log',
      '[registration, key, rent]',
      async (act) => {
        await act(...ACCOUNT);
        return { fromId: 1 };
      },
      [],
      'registration',
    ),
    row(
      'from the id 0: the whole log',
      '[registration, key, rent]',
      async (act) => {
        await act(...ACCOUNT);
        return { fromId: 0 };
      },
      [],
      'registration',
    ),
    {
      title: 'the sixth stream from one address is refused, and one with a password is not',
      theirs: 'too many connections',
      nothing:
        'hubble itself skips this test. Our limits per key and per address are in docs/hub.md, and tried elsewhere.',
    },
    row(
      'from an id, of some types',
      '[registration, key, rent, cast, like]',
      async (act, front) => {
        await act('proof');
        const fromId = await newestId(front);
        await act('registration');
        return { fromId, eventTypes: [MERGE_MESSAGE, MERGE_ON_CHAIN_EVENT] };
      },
      ['key', 'rent', 'cast', 'like'],
    ),
    shardRow('the first of two shards, while two accounts are made', '9 events', { shardIndex: 0 }, false),
    shardRow('the second of two shards, while two accounts are made', '1 events', { shardIndex: 1 }, false),
    shardRow('the first of two shards, from an id', '9 events', { shardIndex: 0 }, true),
    shardRow('the second of two shards, from an id', '1 events', { shardIndex: 1 }, true),
  ],
});
