import { billingCases } from './billing.js';
import { nftCases } from './nft.js';
import { onchainCases } from './onchain.js';
import { startPayWorld } from './pay-world.js';
import { tryCases } from './run.js';

tryCases(startPayWorld, [...onchainCases, ...nftCases, ...billingCases]);
