import { hubCases } from './hub.js';
import { tryCases } from './run.js';
import { startWorld } from './world.js';

tryCases(startWorld, hubCases);
