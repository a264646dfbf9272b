// Pays one wei from a wallet for a request with an idempotency key, like a service, and prints the result.
// argv: location of the database (postgres:// address or folder), endpoint, master key, wallet's id and address,
// recipient, idempotency key.
import type { Address } from 'viem';
import { MasterKey } from '../../src/config/secret.js';
import { openEmbedded } from '../../src/db/embedded/embedded.js';
import { openPostgres } from '../../src/db/postgres.js';
import { createNetworks } from '../../src/onchain/rpc/networks.js';
import { createSender } from '../../src/onchain/transaction/sender.js';
import { payOnce } from './wallet.js';

const [place, endpoint, key, id, address, to, idem] = process.argv.slice(2) as string[];

const db = place?.startsWith('postgres')
  ? openPostgres({ url: place, poolSize: 4 })
  : await openEmbedded({ dataDir: place as string });
const networks = createNetworks({ rpc: {}, localChain: { url: async () => endpoint as string } });
const masterKey = MasterKey.parse(key as string) as MasterKey;
const sender = createSender({ db, networks, masterKey, clock: Date.now, failed: (error) => console.error(error) });
const wallet = { id: id as string, address: address as Address };
const sent = await payOnce(db, sender, wallet, to as Address, idem as string);
const receipt = await sender.receipt(sent.id, 20_000);
process.stdout.write(`${JSON.stringify({ hash: sent.hash, status: receipt?.status })}\n`);
process.exit(0);
