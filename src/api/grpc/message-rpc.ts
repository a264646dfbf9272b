import { UserDataType } from '@farcaster/core';
import { AppError, invalidField, notFound } from '../../error.js';
import { MessageSet } from '../../protocol/conflict.js';
import { urlDigest } from '../../protocol/url-digest.js';
import { hubFetchCastReactions } from '../hub/message/hub-fetch-cast-reactions.js';
import { hubFetchCastsByParent } from '../hub/message/hub-fetch-casts-by-parent.js';
import { hubFetchCastsMentioningUser } from '../hub/message/hub-fetch-casts-mentioning-user.js';
import { hubFetchReactionsByTarget } from '../hub/message/hub-fetch-reactions-by-target.js';
import { hubFetchUserData } from '../hub/message/hub-fetch-user-data.js';
import { hubFetchUserFollowers } from '../hub/message/hub-fetch-user-followers.js';
import { hubFetchUserFollowing } from '../hub/message/hub-fetch-user-following.js';
import { hubFetchUserReactions } from '../hub/message/hub-fetch-user-reactions.js';
import { hubFetchUsersCasts } from '../hub/message/hub-fetch-users-casts.js';
import { hubFetchVerificationsByFid } from '../hub/message/hub-fetch-verifications-by-fid.js';
import { hubLookupCastByHashAndFid } from '../hub/message/hub-lookup-cast-by-hash-and-fid.js';
import { hubLookupReactionById } from '../hub/message/hub-lookup-reaction-by-id.js';
import { hubLookupUserRelation } from '../hub/message/hub-lookup-user-relation.js';
import { hasLinkType, linkSubtypesOf } from '../hub/message/link-type.js';
import * as list from '../hub/message/list.js';
import { findCast, findLink, findReaction, findUserData, findVerification } from '../hub/message/single.js';
import { ALL_REACTION_TYPES } from '../hub/parameter.js';
import { messagePageResponse, messageResponse, pageOf } from './message-wire.js';
import { ownCall, type Rpc, type RpcName, rpc } from './rpc.js';

/** What a request may be about: a cast or a URL. */
interface TargetRequest {
  readonly targetCastId?: list.Target | undefined;
  readonly targetUrl?: string | undefined;
}

/** @throws AppError not_found, as hubs answer, for a request without a target */
const requireTarget = ({ targetCastId, targetUrl }: TargetRequest): list.Target => {
  if (targetCastId !== undefined) return targetCastId;
  if (targetUrl !== undefined) return { fid: 0, hash: urlDigest(targetUrl) };
  throw notFound('Target not specified');
};

/** @throws AppError invalid for the account 0, which no message can be of */
const requireFid = (fid: number): number => {
  if (fid > 0) return fid;
  throw new AppError('invalid', 'InvalidField', 'fid is required', {
    property: 'fid',
    hubCode: 'bad_request.invalid_param',
  });
};

/** @param type 0 and none: all. A type that is unknown has no reactions. */
const reactionTypesOf = (type: number | undefined): readonly number[] =>
  type === undefined || type === 0 ? ALL_REACTION_TYPES : [type].filter((one) => ALL_REACTION_TYPES.includes(one));

const LISTED = ownCall('hub-list-all-messages', 200);

/** Declares a list of everything that an account added and removed in one set. */
const allOf = (name: `getAll${string}MessagesByFid` & RpcName, set: number): Rpc =>
  rpc(name, LISTED, {
    read: async (request, read) =>
      messagePageResponse(read, await list.allMessagesOf(read, { fid: request.fid, set }, pageOf(request))),
  });

/** The calls that read signed messages. */
export const MESSAGE_RPCS: readonly Rpc[] = [
  rpc('getCast', hubLookupCastByHashAndFid, {
    read: ({ fid, hash }, read) => messageResponse(findCast(read, requireFid(fid), hash), 'cast'),
  }),
  rpc('getCastsByFid', hubFetchUsersCasts, {
    read: async (request, read) =>
      messagePageResponse(read, await list.castsByAuthor(read, request.fid, pageOf(request))),
  }),
  rpc('getCastsByParent', hubFetchCastsByParent, {
    read: async (request, read) => {
      const { parentCastId, parentUrl } = request;
      if (parentCastId === undefined && parentUrl === undefined) throw notFound('Parent not specified');
      const parent = requireTarget({ targetCastId: parentCastId, targetUrl: parentUrl });
      return messagePageResponse(read, await list.castsByParent(read, parent, pageOf(request)));
    },
  }),
  rpc('getCastsByMention', hubFetchCastsMentioningUser, {
    read: async (request, read) =>
      messagePageResponse(read, await list.castsByMention(read, request.fid, pageOf(request))),
  }),
  rpc('getReaction', hubLookupReactionById, {
    read: ({ fid, reactionType: type, targetCastId, targetUrl }, read) => {
      const reaction = { type, targetCastId, targetUrl };
      requireTarget(reaction);
      return messageResponse(findReaction(read, requireFid(fid), reaction), 'reaction');
    },
  }),
  rpc('getReactionsByFid', hubFetchUserReactions, {
    read: async (request, read) => {
      const types = reactionTypesOf(request.reactionType);
      return messagePageResponse(read, await list.reactionsByAuthor(read, request.fid, types, pageOf(request)));
    },
  }),
  rpc('getReactionsByCast', hubFetchCastReactions, {
    read: async (request, read) => {
      const { reactionType, targetCastId } = request;
      if (reactionType === undefined) throw invalidField('reaction_type', 'reaction_type is required');
      const target = requireTarget({ targetCastId });
      const types = reactionTypesOf(reactionType);
      return messagePageResponse(read, await list.reactionsByTarget(read, target, types, pageOf(request)));
    },
  }),
  rpc('getReactionsByTarget', hubFetchReactionsByTarget, {
    read: async (request, read) => {
      const types = reactionTypesOf(request.reactionType);
      const page = await list.reactionsByTarget(read, requireTarget(request), types, pageOf(request));
      return messagePageResponse(read, page);
    },
  }),
  rpc('getUserData', hubFetchUserData, {
    read: ({ fid, userDataType: type }, read) => {
      if (UserDataType[type] === undefined) throw invalidField('user_data_type', 'Invalid user data type');
      return messageResponse(findUserData(read, fid, type), 'user data');
    },
  }),
  rpc('getUserDataByFid', hubFetchUserData, {
    read: async (request, read) => messagePageResponse(read, await list.userDataOf(read, request.fid, pageOf(request))),
  }),
  rpc('getVerification', hubFetchVerificationsByFid, {
    read: ({ fid, address }, read) => messageResponse(findVerification(read, requireFid(fid), address), 'verification'),
  }),
  rpc('getVerificationsByFid', hubFetchVerificationsByFid, {
    read: async (request, read) =>
      messagePageResponse(read, await list.verificationsOf(read, request.fid, pageOf(request))),
  }),
  rpc('getLink', hubLookupUserRelation, {
    read: ({ fid, linkType: type, targetFid }, read) => {
      if (targetFid === undefined) throw notFound('Target not specified');
      return messageResponse(findLink(read, requireFid(fid), { type, targetFid }), 'link');
    },
  }),
  rpc('getLinksByFid', hubFetchUserFollowing, {
    read: async (request, read) => {
      const subtypes = linkSubtypesOf(request.linkType);
      const page = await list.linksByAuthor(read, request.fid, subtypes, pageOf(request));
      return messagePageResponse(read, page, hasLinkType(request.linkType));
    },
  }),
  rpc('getLinksByTarget', hubFetchUserFollowers, {
    read: async (request, read) => {
      const { linkType, targetFid } = request;
      if (linkType === undefined) throw invalidField('link_type', 'link_type is required');
      if (targetFid === undefined) throw notFound('Target not specified');
      const subtypes = linkSubtypesOf(linkType);
      const page = await list.linksByTarget(read, targetFid, subtypes, pageOf(request));
      return messagePageResponse(read, page, hasLinkType(linkType));
    },
  }),
  rpc('getLinkCompactStateMessageByFid', LISTED, {
    read: async (request, read) =>
      messagePageResponse(read, await list.linkStatesOf(read, request.fid, pageOf(request))),
  }),
  allOf('getAllCastMessagesByFid', MessageSet.cast),
  allOf('getAllReactionMessagesByFid', MessageSet.reaction),
  allOf('getAllVerificationMessagesByFid', MessageSet.verification),
  allOf('getAllUserDataMessagesByFid', MessageSet.userData),
  allOf('getAllLinkMessagesByFid', MessageSet.link),
  allOf('getAllLendStorageMessagesByFid', MessageSet.storageLending),
];
