import type { Operation } from '../operation.js';
import { hubFetchCastReactions } from './hub-fetch-cast-reactions.js';
import { hubFetchCastsByParent } from './hub-fetch-casts-by-parent.js';
import { hubFetchCastsMentioningUser } from './hub-fetch-casts-mentioning-user.js';
import { hubFetchEvents } from './hub-fetch-events.js';
import { hubFetchFids } from './hub-fetch-fids.js';
import { hubFetchReactionsByTarget } from './hub-fetch-reactions-by-target.js';
import { hubFetchUserData } from './hub-fetch-user-data.js';
import { hubFetchUserFollowers } from './hub-fetch-user-followers.js';
import { hubFetchUserFollowing } from './hub-fetch-user-following.js';
import { hubFetchUserOnChainEvents } from './hub-fetch-user-on-chain-events.js';
import { hubFetchUserOnChainSignersEvents } from './hub-fetch-user-on-chain-signers-events.js';
import { hubFetchUserReactions } from './hub-fetch-user-reactions.js';
import { hubFetchUsernameProofByName } from './hub-fetch-username-proof-by-name.js';
import { hubFetchUsernameProofsByFid } from './hub-fetch-username-proofs-by-fid.js';
import { hubFetchUsersCasts } from './hub-fetch-users-casts.js';
import { hubFetchVerificationsByFid } from './hub-fetch-verifications-by-fid.js';
import { hubLookupCastByHashAndFid } from './hub-lookup-cast-by-hash-and-fid.js';
import { hubLookupEvent } from './hub-lookup-event.js';
import { hubLookupInfo } from './hub-lookup-info.js';
import { hubLookupOnChainIdRegistryEventByAddress } from './hub-lookup-on-chain-id-registry-event-by-address.js';
import { hubLookupReactionById } from './hub-lookup-reaction-by-id.js';
import { hubLookupUserRelation } from './hub-lookup-user-relation.js';
import { hubLookupUserStorageLimit } from './hub-lookup-user-storage-limit.js';
import { hubPublishMessage } from './hub-publish-message.js';
import { hubValidateMessage } from './hub-validate-message.js';

/** The operations that are served under /v1, as a hub serves them. */
export const hubRoom: readonly Operation[] = [
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
