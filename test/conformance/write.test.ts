import { caseList } from './case-list.js';
import { tryCases } from './run.js';
import { startWriteEnvironment } from './write-environment.js';

tryCases(() => startWriteEnvironment(), caseList.write);
