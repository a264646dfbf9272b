import { castCases } from './cast.js';
import { feedCases } from './feed.js';
import { followCases } from './follow.js';
import { notificationCases } from './notification.js';
import { reactionCases } from './reaction.js';
import { tryCases } from './run.js';
import { userCases } from './user.js';
import { visibilityCases } from './visibility.js';
import { startWorld } from './world.js';

tryCases(startWorld, [
  ...userCases,
  ...castCases,
  ...feedCases,
  ...followCases,
  ...reactionCases,
  ...notificationCases,
  ...visibilityCases,
]);
