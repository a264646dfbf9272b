import { caseList } from './case-list.js';
import { startPayWorld } from './pay-environment.js';
import { tryCases } from './run.js';

tryCases(() => startPayWorld(), caseList.pay);
