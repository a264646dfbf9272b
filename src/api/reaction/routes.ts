import type { Operation } from '../http/operation.js';
import { deleteReaction } from './delete-reaction.js';
import { fetchCastReactions } from './fetch-cast-reactions.js';
import { fetchUserReactions } from './fetch-user-reactions.js';
import { publishReaction } from './publish-reaction.js';

export const reactionRoutes: readonly Operation[] = [
  fetchUserReactions,
  fetchCastReactions,
  publishReaction,
  deleteReaction,
];
