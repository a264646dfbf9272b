import { caseList } from './case-list.js';
import { startPayEnvironment } from './pay-environment.js';
import { tryCases } from './run.js';

tryCases(() => startPayEnvironment(), caseList.pay);
