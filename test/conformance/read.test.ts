import { caseList } from './case-list.js';
import { tryCases } from './run.js';
import { startWorld } from './environment.js';

tryCases(() => startWorld(), caseList.read);
