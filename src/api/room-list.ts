import { actionRoom } from './action/room.js';
import { appHostRoom } from './app-host/routes.js';
import { authAddressRoom } from './auth-address/routes.js';
import { banRoom } from './ban/routes.js';
import { blockRoom } from './block/routes.js';
import { castRoom } from './cast/routes.js';
import { feedRoom } from './feed/routes.js';
import { followRoom } from './follow/routes.js';
import { hubRoom } from './hub/room.js';
import { loginRoom } from './login/room.js';
import { messageRoom } from './message/room.js';
import { muteRoom } from './mute/routes.js';
import { nftRoom } from './nft/routes.js';
import { notificationRoom } from './notification/routes.js';
import { onchainRoom } from './onchain/routes.js';
import type { Operation } from './operation.js';
import { organizationRoom } from './organization/room.js';
import { paymentRoom } from './payment/room.js';
import { reactionRoom } from './reaction/routes.js';
import { signerRoom } from './signer/routes.js';
import { subscriptionRoom } from './subscription/room.js';
import { systemRoom } from './system/room.js';
import { userRoom } from './user/routes.js';

/** Every room of the interface; a new room is added here. */
export const rooms: readonly (readonly Operation[])[] = [
  systemRoom,
  userRoom,
  castRoom,
  feedRoom,
  followRoom,
  reactionRoom,
  notificationRoom,
  muteRoom,
  banRoom,
  blockRoom,
  signerRoom,
  authAddressRoom,
  loginRoom,
  actionRoom,
  appHostRoom,
  messageRoom,
  nftRoom,
  onchainRoom,
  organizationRoom,
  subscriptionRoom,
  paymentRoom,
  hubRoom,
];
