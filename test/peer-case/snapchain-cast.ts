import { fromUnixMs } from '../../src/protocol/time.js';
import { cases } from './front.js';
import { ONE_SHARD } from './reason.js';

const ONE_PAGE_OF_ALL = `Each shard of snapchain adds a page of its own. ${ONE_SHARD}`;

export const SNAPCHAIN_CAST = cases({
  peer: 'snapchain',
  file: 'server_tests.rs',
  id: 'snapchain-cast',
  over: 'grpc',
  state: async (front) => {
    const [alice, bob] = [await front.account('alice', 4), await front.account('bob')];
    const { gone } = front.name({ gone: alice.cast({ text: 'test' }) });
    await front.store(gone);
    const { cast } = await front.write({ cast: alice.cast({ text: 'test 2' }) });
    await front.write({ removal: alice.removeCast(gone.hash) });
    const { other } = await front.write({ other: bob.cast({ text: 'another account' }) });
    const parent = await front.account('parent', 4);
    const root = parent.cast({ text: 'root' });
    await front.store(root);
    await front.write({
      reply1: parent.cast({ text: 'reply 1', parent: root }),
      reply2: parent.cast({ text: 'reply 2', parent: root }),
      reply3: bob.cast({ text: 'reply 3', parent: root }),
      reply4: bob.cast({ text: 'reply 4', parent: root }),
    });
    return { fid: alice.fid, bob: bob.fid, gone, cast, other, parentCastId: { fid: parent.fid, hash: root.hash } };
  },
  rows: [
    { title: 'a cast', theirs: 'cast', call: 'getCast', request: ({ fid, cast }) => ({ fid, hash: cast.hash }) },
    {
      title: 'a cast that was removed',
      theirs: 'NOT_FOUND',
      call: 'getCast',
      request: ({ fid, gone }) => ({ fid, hash: gone.hash }),
    },
    {
      title: 'a cast of an account in another shard',
      theirs: 'other',
      call: 'getCast',
      request: ({ bob, other }) => ({ fid: bob, hash: other.hash }),
    },
    {
      title: 'the hash of a cast of another account',
      theirs: 'NOT_FOUND',
      call: 'getCast',
      request: ({ fid, other }) => ({ fid, hash: other.hash }),
    },
    {
      title: 'casts of an account, without the removed one and without the removal',
      theirs: '[cast]',
      call: 'getCastsByFid',
      request: ({ fid }) => ({ fid }),
    },
    {
      title: 'a page of one begins with the cast',
      theirs: '[cast]',
      other: null,
      call: 'getAllCastMessagesByFid',
      request: ({ fid }) => ({ fid, pageSize: 1 }),
    },
    {
      title: 'a page token goes on after the page before: the removal',
      theirs: '[removal]',
      other: null,
      call: 'getAllCastMessagesByFid',
      request: ({ fid }) => ({ fid, pageSize: 1 }),
      next: ({ fid }) => ({ fid, pageSize: 1 }),
    },
    {
      title: 'the other way around, the removal is first',
      theirs: '[removal]',
      other: null,
      call: 'getAllCastMessagesByFid',
      request: ({ fid }) => ({ fid, pageSize: 1, reverse: true }),
    },
    {
      title: 'everything',
      theirs: '[cast, removal]',
      other: null,
      call: 'getAllCastMessagesByFid',
      request: ({ fid }) => ({ fid }),
    },
    {
      title: 'an empty page token is the first page',
      theirs: '[cast, removal]',
      other: null,
      call: 'getAllCastMessagesByFid',
      request: ({ fid }) => ({ fid, pageToken: new Uint8Array() }),
    },
    {
      title: 'a page of one reply of a cast',
      theirs: '[reply1, reply3]',
      ours: '[reply1]',
      reason: ONE_PAGE_OF_ALL,
      call: 'getCastsByParent',
      request: ({ parentCastId }) => ({ parentCastId, pageSize: 1 }),
    },
    {
      title: 'a page token goes on after the page before, with pages of two',
      theirs: '[reply2, reply4]',
      ours: '[reply2, reply3]',
      reason: ONE_PAGE_OF_ALL,
      call: 'getCastsByParent',
      request: ({ parentCastId }) => ({ parentCastId, pageSize: 1 }),
      next: ({ parentCastId }) => ({ parentCastId, pageSize: 2 }),
    },
    {
      title: 'the latest first, a page of one',
      theirs: '[reply2, reply4]',
      ours: '[reply4]',
      reason: ONE_PAGE_OF_ALL,
      call: 'getCastsByParent',
      request: ({ parentCastId }) => ({ parentCastId, pageSize: 1, reverse: true }),
    },
    {
      title: 'the latest first, the page after it, of two',
      theirs: '[reply1, reply3]',
      ours: '[reply3, reply2]',
      reason: ONE_PAGE_OF_ALL,
      call: 'getCastsByParent',
      request: ({ parentCastId }) => ({ parentCastId, pageSize: 1, reverse: true }),
      next: ({ parentCastId }) => ({ parentCastId, pageSize: 2, reverse: true }),
    },
  ],
});

export const SNAPCHAIN_LEND = cases({
  peer: 'snapchain',
  file: 'server_tests.rs',
  id: 'snapchain-lend',
  over: 'grpc',
  state: async (front) => {
    const [alice, bob] = [await front.account('alice', 6), await front.account('bob')];
    const lend1 = alice.lendStorage(bob.fid, 1);
    const lend2 = alice.lendStorage(bob.fid + 1, 2);
    await front.write({ lend1, lend2 });
    return { front, alice, bob, fid: alice.fid };
  },
  rows: [
    {
      title: 'a page of one loan',
      theirs: '[lend1]',
      other: null,
      call: 'getAllLendStorageMessagesByFid',
      request: ({ fid }) => ({ fid, pageSize: 1 }),
    },
    {
      title: 'all loans of an account, in the order of their time',
      theirs: '[lend1, lend2]',
      other: null,
      call: 'getAllLendStorageMessagesByFid',
      request: ({ fid }) => ({ fid }),
    },
    {
      title: 'the latest loan first',
      theirs: '[lend2]',
      other: null,
      call: 'getAllLendStorageMessagesByFid',
      request: ({ fid }) => ({ fid, pageSize: 1, reverse: true }),
    },
    {
      title: 'a loan is answered as it was sent',
      theirs: 'loan',
      call: 'submitMessage',
      request: ({ front, alice, bob }, surface) =>
        front.name({ loan: alice.lendStorage(bob.fid + (surface === 'grpc' ? 2 : 3), 1, fromUnixMs(Date.now())) }).loan,
    },
    {
      title: 'the loan waits in the mempool of the shard that decides about storage',
      theirs: 'in its next block',
      nothing: 'This service has no mempool: what is answered is stored.',
    },
  ],
});
