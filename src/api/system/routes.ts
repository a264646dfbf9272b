import type { Operation } from '../http/operation.js';
import { healthLive } from './health-live.js';
import { healthReady } from './health-ready.js';

export const systemRoutes: readonly Operation[] = [healthLive, healthReady];
