import type { Operation } from '../operation.js';
import { healthLive } from './health-live.js';
import { healthReady } from './health-ready.js';

export const systemRoom: readonly Operation[] = [healthLive, healthReady];
