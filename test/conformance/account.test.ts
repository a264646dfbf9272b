import { startAccountEnvironment } from './account-environment.js';
import { caseList } from './case-list.js';
import { tryCases } from './run.js';

tryCases(() => startAccountEnvironment(), caseList.account);
