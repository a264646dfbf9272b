import type { Operation } from '../http/operation.js';
import { upgrade } from './upgrade.js';
import { upgradePreview } from './upgrade-preview.js';

export const subscriptionRoutes: readonly Operation[] = [upgradePreview, upgrade];
