import { cases } from './front.js';
import { PARAMETER } from './reason.js';

const URL = 'https://parent.example/page';

export const HUBBLE_CAST = cases({
  peer: 'hubble',
  file: 'castService.test.ts',
  id: 'hubble-cast',
  over: 'grpc',
  state: async (front) => {
    const [alice, bob, quiet] = [
      await front.account('alice'),
      await front.account('bob'),
      await front.account('quiet'),
    ];
    const { parent } = front.name({ parent: bob.cast({ text: 'not stored' }) });
    const text = ['gm ', bob.fid, ' and ', quiet.fid];
    const { cast } = await front.write({ cast: alice.cast({ text, parent }) });
    const { fid } = bob;
    const ordered = await front.write({
      first: bob.cast({ text: '1' }),
      second: bob.cast({ text: '2' }),
      third: bob.cast({ text: '3', parent: URL }),
      fourth: bob.cast({ text: '4' }),
    });
    return { fid: alice.fid, hash: cast.hash, parent: { fid, hash: parent.hash }, bob: fid, quiet: quiet.fid, ordered };
  },
  rows: [
    {
      title: 'a stored cast is answered, equal in all members',
      theirs: 'cast',
      call: 'getCast',
      request: ({ fid, hash }) => ({ fid, hash }),
    },
    {
      title: 'a cast that is not stored',
      theirs: 'NOT_FOUND',
      call: 'getCast',
      request: ({ parent }) => parent,
    },
    {
      title: 'account 0 and no hash',
      theirs: 'INVALID_ARGUMENT bad_request.validation_failure',
      ours: 'INVALID_ARGUMENT bad_request.invalid_param',
      reason: PARAMETER,
      call: 'getCast',
      request: () => ({ fid: 0, hash: new Uint8Array() }),
    },
    {
      title: 'no hash',
      theirs: 'NOT_FOUND',
      other: '400 bad_request.invalid_param',
      reason: 'Over HTTP the contract has a hash of 20 bytes.',
      call: 'getCast',
      request: ({ fid }) => ({ fid, hash: new Uint8Array() }),
    },
    {
      title: 'account 0 and the hash of a cast',
      theirs: 'INVALID_ARGUMENT bad_request.validation_failure',
      ours: 'INVALID_ARGUMENT bad_request.invalid_param',
      reason: PARAMETER,
      call: 'getCast',
      request: ({ hash }) => ({ fid: 0, hash }),
    },
    {
      title: 'the only cast of an account',
      theirs: '[cast]',
      call: 'getCastsByFid',
      request: ({ fid }) => ({ fid }),
    },
    {
      title: 'four casts come in the order of their time',
      theirs: '[first, second, third, fourth]',
      call: 'getCastsByFid',
      request: ({ bob }) => ({ fid: bob }),
    },
    {
      title: 'an account without casts',
      theirs: '[]',
      call: 'getCastsByFid',
      request: ({ quiet }) => ({ fid: quiet }),
    },
    {
      title: 'the parent is a cast',
      theirs: '[cast]',
      call: 'getCastsByParent',
      request: ({ parent }) => ({ parentCastId: parent }),
    },
    {
      title: 'the parent is a URL',
      theirs: '[third]',
      call: 'getCastsByParent',
      request: () => ({ parentUrl: URL }),
    },
    {
      title: 'a cast without replies',
      theirs: '[]',
      call: 'getCastsByParent',
      request: ({ fid, hash }) => ({ parentCastId: { fid, hash } }),
    },
    {
      title: 'the first mention of a cast with two',
      theirs: '[cast]',
      call: 'getCastsByMention',
      request: ({ bob }) => ({ fid: bob }),
    },
    {
      title: 'the second mention of a cast with two',
      theirs: '[cast]',
      call: 'getCastsByMention',
      request: ({ quiet }) => ({ fid: quiet }),
    },
    {
      title: 'an account that nobody mentions',
      theirs: '[]',
      call: 'getCastsByMention',
      request: ({ fid }) => ({ fid }),
    },
  ],
});
