import type { Operation } from '../operation.js';
import { fetchCastReactions } from './fetch-cast-reactions.js';
import { fetchUserReactions } from './fetch-user-reactions.js';

export const reactionRoom: readonly Operation[] = [fetchUserReactions, fetchCastReactions];
