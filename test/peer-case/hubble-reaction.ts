import { ReactionType } from '@farcaster/core';
import { cases } from './front.js';
import { HTTP_FID, HTTP_REACTION_TYPE, LIKE_SNAPCHAIN, PARAMETER } from './reason.js';

const { LIKE, RECAST } = ReactionType;
const URL = 'https://target.example/page';
const NO_CAST = { fid: 0, hash: new Uint8Array() };

export const HUBBLE_REACTION = cases({
  peer: 'hubble',
  file: 'reactionService.test.ts',
  id: 'hubble-reaction',
  over: 'grpc',
  state: async (front) => {
    const [alice, author] = [await front.account('alice'), await front.account('author')];
    const { hash } = author.cast({ text: 'not stored' });
    const target = { fid: author.fid, hash };
    await front.write({
      like: alice.react('like', target),
      recast: alice.react('recast', target),
      likeOfUrl: author.react('like', URL),
    });
    const quiet = await front.account('quiet');
    return { fid: alice.fid, author: author.fid, quiet: quiet.fid, target, nothing: { ...target, fid: quiet.fid } };
  },
  rows: [
    {
      title: 'a like of a cast',
      theirs: 'like',
      call: 'getReaction',
      request: ({ fid, target }) => ({ fid, reactionType: LIKE, targetCastId: target }),
    },
    {
      title: 'a recast of a cast',
      theirs: 'recast',
      call: 'getReaction',
      request: ({ fid, target }) => ({ fid, reactionType: RECAST, targetCastId: target }),
    },
    {
      title: 'a like of a URL',
      theirs: 'likeOfUrl',
      other: null,
      call: 'getReaction',
      request: ({ author }) => ({ fid: author, reactionType: LIKE, targetUrl: URL }),
    },
    {
      title: 'a reaction that is not stored',
      theirs: 'NOT_FOUND',
      call: 'getReaction',
      request: ({ quiet, target }) => ({ fid: quiet, reactionType: RECAST, targetCastId: target }),
    },
    {
      title: 'a target without a type',
      theirs: 'INVALID_ARGUMENT bad_request.validation_failure',
      ours: 'NOT_FOUND',
      other: '400 bad_request.invalid_param',
      reason: `${LIKE_SNAPCHAIN} ${HTTP_REACTION_TYPE}`,
      call: 'getReaction',
      request: ({ fid, target }) => ({ fid, targetCastId: target }),
    },
    {
      title: 'a target with neither account nor hash',
      theirs: 'INVALID_ARGUMENT bad_request.validation_failure',
      ours: 'NOT_FOUND',
      other: '400 bad_request.invalid_param',
      reason: `${LIKE_SNAPCHAIN} ${HTTP_FID}`,
      call: 'getReaction',
      request: ({ fid }) => ({ fid, reactionType: LIKE, targetCastId: NO_CAST }),
    },
    {
      title: 'no account',
      theirs: 'INVALID_ARGUMENT bad_request.validation_failure',
      ours: 'INVALID_ARGUMENT bad_request.invalid_param',
      reason: PARAMETER,
      call: 'getReaction',
      request: ({ target }) => ({ fid: 0, reactionType: LIKE, targetCastId: target }),
    },
    {
      title: 'of every type, in the order of their time',
      theirs: '[like, recast]',
      other: '400 bad_request.invalid_param',
      reason: HTTP_REACTION_TYPE,
      call: 'getReactionsByFid',
      request: ({ fid }) => ({ fid }),
    },
    {
      title: 'likes only',
      theirs: '[like]',
      call: 'getReactionsByFid',
      request: ({ fid }) => ({ fid, reactionType: LIKE }),
    },
    {
      title: 'recasts only',
      theirs: '[recast]',
      call: 'getReactionsByFid',
      request: ({ fid }) => ({ fid, reactionType: RECAST }),
    },
    {
      title: 'an account without reactions',
      theirs: '[]',
      other: '400 bad_request.invalid_param',
      reason: HTTP_REACTION_TYPE,
      call: 'getReactionsByFid',
      request: ({ quiet }) => ({ fid: quiet }),
    },
    {
      title: 'of every type, in the order of their time',
      theirs: '[like, recast]',
      ours: 'INVALID_ARGUMENT bad_request.invalid_param',
      reason: LIKE_SNAPCHAIN,
      call: 'getReactionsByCast',
      request: ({ target }) => ({ targetCastId: target }),
    },
    {
      title: 'likes only',
      theirs: '[like]',
      call: 'getReactionsByCast',
      request: ({ target }) => ({ targetCastId: target, reactionType: LIKE }),
    },
    {
      title: 'recasts only',
      theirs: '[recast]',
      call: 'getReactionsByCast',
      request: ({ target }) => ({ targetCastId: target, reactionType: RECAST }),
    },
    {
      title: 'a cast without reactions, no type given',
      theirs: '[]',
      ours: 'INVALID_ARGUMENT bad_request.invalid_param',
      reason: LIKE_SNAPCHAIN,
      call: 'getReactionsByCast',
      request: ({ nothing }) => ({ targetCastId: nothing }),
    },
    {
      title: 'a URL instead of a cast is refused',
      theirs: 'an error',
      ours: 'INVALID_ARGUMENT bad_request.invalid_param',
      reason: 'The test of hubble takes any error; ours is that of snapchain.',
      call: 'getReactionsByCast',
      request: () => ({ targetUrl: URL }),
    },
    {
      title: 'of a cast, of every type, in the order of their time',
      theirs: '[like, recast]',
      other: null,
      call: 'getReactionsByTarget',
      request: ({ target }) => ({ targetCastId: target }),
    },
    {
      title: 'of a cast, likes only',
      theirs: '[like]',
      other: null,
      call: 'getReactionsByTarget',
      request: ({ target }) => ({ targetCastId: target, reactionType: LIKE }),
    },
    {
      title: 'of a cast, recasts only',
      theirs: '[recast]',
      other: null,
      call: 'getReactionsByTarget',
      request: ({ target }) => ({ targetCastId: target, reactionType: RECAST }),
    },
    {
      title: 'of a URL',
      theirs: '[likeOfUrl]',
      call: 'getReactionsByTarget',
      request: () => ({ targetUrl: URL }),
    },
    {
      title: 'a cast without reactions',
      theirs: '[]',
      other: null,
      call: 'getReactionsByTarget',
      request: ({ nothing }) => ({ targetCastId: nothing }),
    },
  ],
});
