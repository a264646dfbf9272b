// Calls every method of @standard-crypto/farcaster-js-neynar, unmodified, and prints what each came to.
import { NeynarAPIClient, NeynarV2APIClient } from '@standard-crypto/farcaster-js-neynar';
import { outcomes, take } from './outcome.mjs';

const { apiKey, signer, fid, other, cast } = JSON.parse(process.env.INPUT);
const { v2 } = new NeynarAPIClient(apiKey);
const written = await v2.publishCast(signer, 'Written by the older client');

const calls = {
  fetchSigner: () => v2.fetchSigner(signer),
  createSigner: () => v2.createSigner('test test test test test test test test test test test junk'),
  fetchFeed: () => take(v2.fetchFeed(fid, { pageSize: 2 }), 3),
  fetchCast: () => v2.fetchCast(cast),
  fetchCasts: () => v2.fetchCasts([cast]),
  publishCast: () => written,
  searchUsernames: () => v2.searchUsernames('ali', fid),
  updateUserProfile: () => v2.updateUserProfile(signer, { bio: 'Set by the older client' }),
  reactToCast: () => v2.reactToCast(signer, 'like', written.hash),
  removeReactionToCast: () => v2.removeReactionToCast(signer, 'like', written.hash),
  followUsers: () => v2.followUsers(signer, [other]),
  unfollowUsers: () => v2.unfollowUsers(signer, [other]),
  deleteCast: () => v2.deleteCast(signer, written.hash),
};
const methods = Object.getOwnPropertyNames(NeynarV2APIClient.prototype).filter((name) => name !== 'constructor');
console.log(JSON.stringify(await outcomes(methods, calls)));
