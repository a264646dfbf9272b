import type { Operation } from '../http/operation.js';
import { hubFetchFids } from './account/hub-fetch-fids.js';
import { hubFetchUserOnChainEvents } from './account/hub-fetch-user-on-chain-events.js';
import { hubFetchUserOnChainSignersEvents } from './account/hub-fetch-user-on-chain-signers-events.js';
import { hubFetchUsernameProofByName } from './account/hub-fetch-username-proof-by-name.js';
import { hubFetchUsernameProofsByFid } from './account/hub-fetch-username-proofs-by-fid.js';
import { hubLookupOnChainIdRegistryEventByAddress } from './account/hub-lookup-on-chain-id-registry-event-by-address.js';
import { hubLookupUserStorageLimit } from './account/hub-lookup-user-storage-limit.js';
import { hubFetchEvents } from './event/hub-fetch-events.js';
import { hubLookupEvent } from './event/hub-lookup-event.js';
import { hubLookupInfo } from './event/hub-lookup-info.js';
import { hubFetchCastReactions } from './message/hub-fetch-cast-reactions.js';
import { hubFetchCastsByParent } from './message/hub-fetch-casts-by-parent.js';
import { hubFetchCastsMentioningUser } from './message/hub-fetch-casts-mentioning-user.js';
import { hubFetchReactionsByTarget } from './message/hub-fetch-reactions-by-target.js';
import { hubFetchUserData } from './message/hub-fetch-user-data.js';
import { hubFetchUserFollowers } from './message/hub-fetch-user-followers.js';
import { hubFetchUserFollowing } from './message/hub-fetch-user-following.js';
import { hubFetchUserReactions } from './message/hub-fetch-user-reactions.js';
import { hubFetchUsersCasts } from './message/hub-fetch-users-casts.js';
import { hubFetchVerificationsByFid } from './message/hub-fetch-verifications-by-fid.js';
import { hubLookupCastByHashAndFid } from './message/hub-lookup-cast-by-hash-and-fid.js';
import { hubLookupReactionById } from './message/hub-lookup-reaction-by-id.js';
import { hubLookupUserRelation } from './message/hub-lookup-user-relation.js';
import { hubPublishMessage } from './message/hub-publish-message.js';
import { hubValidateMessage } from './message/hub-validate-message.js';

export const hubRoutes: readonly Operation[] = [
  hubLookupInfo,
  hubLookupCastByHashAndFid,
  hubFetchUsersCasts,
  hubFetchCastsMentioningUser,
  hubFetchCastsByParent,
  hubLookupReactionById,
  hubFetchCastReactions,
  hubFetchUserReactions,
  hubFetchReactionsByTarget,
  hubLookupUserRelation,
  hubFetchUserFollowing,
  hubFetchUserFollowers,
  hubFetchUserData,
  hubFetchFids,
  hubLookupUserStorageLimit,
  hubFetchUsernameProofsByFid,
  hubFetchUsernameProofByName,
  hubFetchVerificationsByFid,
  hubLookupOnChainIdRegistryEventByAddress,
  hubFetchUserOnChainEvents,
  hubFetchUserOnChainSignersEvents,
  hubPublishMessage,
  hubValidateMessage,
  hubFetchEvents,
  hubLookupEvent,
];
