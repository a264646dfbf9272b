// Starts a chain, prints its address, and lives until it is killed.
import { startAnvil } from '../../src/onchain/local/anvil.js';

const { url } = await startAnvil();
process.stdout.write(`${url}\n`);
