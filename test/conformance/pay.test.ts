import { caseList } from './case-list.js';
import { startPayWorld } from './pay-world.js';
import { tryCases } from './run.js';

tryCases(() => startPayWorld(), caseList.pay);
