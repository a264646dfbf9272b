import { castRoom } from './cast/room.js';
import { feedRoom } from './feed/room.js';
import { followRoom } from './follow/room.js';
import { hubRoom } from './hub/room.js';
import { notificationRoom } from './notification/room.js';
import type { Operation } from './operation.js';
import { reactionRoom } from './reaction/room.js';
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
  hubRoom,
];
