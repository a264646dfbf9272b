import { cases } from './front.js';
import { LIKE_SNAPCHAIN, PARAMETER } from './reason.js';

export const HUBBLE_LINK = cases({
  peer: 'hubble',
  file: 'linkService.test.ts',
  id: 'hubble-link',
  over: 'grpc',
  state: async (front) => {
    const [alice, bob, quiet] = [
      await front.account('alice'),
      await front.account('bob'),
      await front.account('quiet'),
    ];
    await front.write({ follow: alice.follow(bob.fid), endorsement: alice.link('endorse', bob.fid) });
    return { fid: alice.fid, targetFid: bob.fid, quiet: quiet.fid };
  },
  rows: [
    {
      title: 'a follow',
      theirs: 'follow',
      call: 'getLink',
      request: ({ fid, targetFid }) => ({ fid, targetFid, linkType: 'follow' }),
    },
    {
      title: 'a link of a type that has no number: endorse',
      theirs: 'endorsement',
      call: 'getLink',
      request: ({ fid, targetFid }) => ({ fid, targetFid, linkType: 'endorse' }),
    },
    {
      title: 'a link that is not stored',
      theirs: 'NOT_FOUND',
      call: 'getLink',
      request: ({ quiet, targetFid }) => ({ fid: quiet, targetFid, linkType: 'endorse' }),
    },
    {
      title: 'a target without a type',
      theirs: 'INVALID_ARGUMENT bad_request.validation_failure',
      ours: 'NOT_FOUND',
      other: '400 bad_request.invalid_param',
      reason: `${LIKE_SNAPCHAIN} Over HTTP \`link_type\` is required, as in snapchain.`,
      call: 'getLink',
      request: ({ fid, targetFid }) => ({ fid, targetFid, linkType: '' }),
    },
    {
      title: 'no account',
      theirs: 'INVALID_ARGUMENT bad_request.validation_failure',
      ours: 'INVALID_ARGUMENT bad_request.invalid_param',
      reason: PARAMETER,
      call: 'getLink',
      request: ({ targetFid }) => ({ fid: 0, targetFid, linkType: 'follow' }),
    },
    {
      title: 'of every type, in the order of their time',
      theirs: '[follow, endorsement]',
      call: 'getLinksByFid',
      request: ({ fid }) => ({ fid }),
    },
    {
      title: 'follows only',
      theirs: '[follow]',
      call: 'getLinksByFid',
      request: ({ fid }) => ({ fid, linkType: 'follow' }),
    },
    {
      title: 'endorsements only',
      theirs: '[endorsement]',
      call: 'getLinksByFid',
      request: ({ fid }) => ({ fid, linkType: 'endorse' }),
    },
    {
      title: 'an account without links',
      theirs: '[]',
      call: 'getLinksByFid',
      request: ({ quiet }) => ({ fid: quiet }),
    },
    {
      title: 'of every type, in the order of their time',
      theirs: '[follow, endorsement]',
      ours: 'INVALID_ARGUMENT bad_request.invalid_param',
      other: '[follow, endorsement]',
      reason: LIKE_SNAPCHAIN,
      call: 'getLinksByTarget',
      request: ({ targetFid }) => ({ targetFid }),
    },
    {
      title: 'follows only',
      theirs: '[follow]',
      call: 'getLinksByTarget',
      request: ({ targetFid }) => ({ targetFid, linkType: 'follow' }),
    },
    {
      title: 'endorsements only',
      theirs: '[endorsement]',
      call: 'getLinksByTarget',
      request: ({ targetFid }) => ({ targetFid, linkType: 'endorse' }),
    },
    {
      title: 'an account that no link is to, no type given',
      theirs: '[]',
      ours: 'INVALID_ARGUMENT bad_request.invalid_param',
      other: '[]',
      reason: LIKE_SNAPCHAIN,
      call: 'getLinksByTarget',
      request: ({ quiet }) => ({ targetFid: quiet }),
    },
  ],
});
