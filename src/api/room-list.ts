import { castRoom } from './cast/room.js';
import { hubRoom } from './hub/room.js';
import type { Operation } from './operation.js';
import { systemRoom } from './system/room.js';
import { userRoom } from './user/room.js';

/** Every room of the interface; a new room is added here. */
export const rooms: readonly (readonly Operation[])[] = [systemRoom, userRoom, castRoom, hubRoom];
