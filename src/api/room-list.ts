import type { Operation } from './operation.js';
import { systemRoom } from './system/room.js';

/** Every room of the interface; a new room is added here. */
export const rooms: readonly (readonly Operation[])[] = [systemRoom];
