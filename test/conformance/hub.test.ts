import { caseList } from './case-list.js';
import { tryCases } from './run.js';
import { startWorld } from './world.js';

tryCases(() => startWorld(), caseList.hub);
