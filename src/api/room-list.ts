import { actionRoom } from './action/room.js';
import { appHostRoom } from './app-host/room.js';
import { authAddressRoom } from './auth-address/room.js';
import { banRoom } from './ban/room.js';
import { blockRoom } from './block/room.js';
import { castRoom } from './cast/room.js';
import { feedRoom } from './feed/room.js';
import { followRoom } from './follow/room.js';
import { hubRoom } from './hub/room.js';
import { loginRoom } from './login/room.js';
import { messageRoom } from './message/room.js';
import { muteRoom } from './mute/room.js';
import { nftRoom } from './nft/room.js';
import { notificationRoom } from './notification/room.js';
import { onchainRoom } from './onchain/room.js';
import type { Operation } from './operation.js';
import { organizationRoom } from './organization/room.js';
import { paymentRoom } from './payment/room.js';
import { reactionRoom } from './reaction/room.js';
import { signerRoom } from './signer/room.js';
import { subscriptionRoom } from './subscription/room.js';
import { systemRoom } from './system/room.js';
import { userRoom } from './user/room.js';

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
