import { caseList } from './case-list.js';
import { tryCases } from './run.js';
import { startWriteWorld } from './write-environment.js';

tryCases(() => startWriteWorld(), caseList.write);
