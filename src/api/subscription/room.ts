import type { Operation } from '../operation.js';
import { upgrade } from './upgrade.js';
import { upgradePreview } from './upgrade-preview.js';

export const subscriptionRoom: readonly Operation[] = [upgradePreview, upgrade];
