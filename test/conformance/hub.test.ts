import { caseList } from './case-list.js';
import { startEnvironment } from './environment.js';
import { tryCases } from './run.js';

tryCases(() => startEnvironment(), caseList.hub);
