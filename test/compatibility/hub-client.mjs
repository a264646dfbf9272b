// Calls every method of @standard-crypto/farcaster-js-hub-rest that reads, unmodified and without a key, and prints what each came to.
import { HubRestAPIClient, OnChainEventType, ReactionType, UserDataType } from '@standard-crypto/farcaster-js-hub-rest';
import { outcomes, take } from './outcome.mjs';

const { fid, publicKey, cast, castFid, custody, username, message, url } = JSON.parse(process.env.INPUT);
const hub = new HubRestAPIClient({ hubUrl: url });
const id = { fid: castFid, hash: cast };

const calls = {
  getHubInfo: () => hub.getHubInfo(),
  getCastById: () => hub.getCastById(id),
  listCastsByFid: () => take(hub.listCastsByFid(castFid, { pageSize: 1 }), 2),
  listCastsByMention: () => take(hub.listCastsByMention(castFid), 1),
  listCastsByParent: () => take(hub.listCastsByParent(id), 1),
  getReactionById: () =>
    hub.getReactionById({ fid, targetFid: castFid, targetHash: cast, reactionType: ReactionType.Recast }),
  listReactionsByFid: () => take(hub.listReactionsByFid(fid, ReactionType.Like), 1),
  listReactionsByCast: () => take(hub.listReactionsByCast(castFid, cast, ReactionType.Like), 1),
  listReactionsByTarget: () => take(hub.listReactionsByTarget('https://nowhere.example/', ReactionType.Like), 1),
  getLinkById: () => hub.getLinkById(fid, castFid),
  listLinksByFid: () => take(hub.listLinksByFid(fid), 1),
  listLinksByTargetFid: () => take(hub.listLinksByTargetFid(castFid), 2),
  getSpecificUserDataByFid: () => hub.getSpecificUserDataByFid(castFid, UserDataType.Bio),
  listAllUserDataByFid: () => take(hub.listAllUserDataByFid(castFid), 3),
  listFids: () => take(hub.listFids({ pageSize: 2 }), 4),
  getStorageLimitsByFid: () => hub.getStorageLimitsByFid(castFid),
  getUsernameProof: () => hub.getUsernameProof(username),
  listUsernameProofsForFid: () => hub.listUsernameProofsForFid(castFid),
  listVerificationsByFid: () => take(hub.listVerificationsByFid(castFid), 1),
  listOnChainEventsByFid: () => hub.listOnChainEventsByFid(castFid, OnChainEventType.IdRegister),
  getOnChainSignerEventBySigner: () => hub.getOnChainSignerEventBySigner(fid, publicKey),
  getOnChainIdRegistryEventByAddress: () => hub.getOnChainIdRegistryEventByAddress(custody),
  listHubEvents: () => take(hub.listHubEvents(), 3),
  validateMessage: () => hub.validateMessage(message),
};
calls.getHubEventById = async () => hub.getHubEventById((await take(hub.listHubEvents(), 1))[0].id);
console.log(JSON.stringify(await outcomes([], calls)));
