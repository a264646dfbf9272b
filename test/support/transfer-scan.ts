import { createTokenService, readKnownTokens } from '../../src/onchain/token/service.js';
import { until } from './hub-fixture.js';
import type { TokenEnvironment } from './token-environment.js';

/** keccak256 of `Transfer(address,address,uint256)`. */
export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** What the service would say to its operator. */
export interface Warning {
  readonly details: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** Leaves it to the test when a turn is: the service's own job is not due, and its run at the start has ended. */
export const pauseTransferScan = async ({ network }: TokenEnvironment): Promise<void> => {
  await network.sql(
    `insert into job_run (name, began_at) values ('search-transfers', now() + interval '1 day')
     on conflict (name) do update set began_at = excluded.began_at`,
  );
  const running = "select 1 from job_run where name = 'search-transfers' and claimed_by is not null";
  await until(async () => (await network.sql(running)).length === 0);
};

/** One turn of the search for transfers, as the service's job makes it, at the time of the service's clock. */
export const runTransferScan = async (
  { network, clock }: TokenEnvironment,
  warnings: Warning[],
  signal = new AbortController().signal,
): Promise<void> => {
  const { core, services } = network.app;
  const service = createTokenService({
    db: core.db,
    networks: services.networks,
    config: network.config.tokens,
    known: readKnownTokens(network.config.tokens),
    clock,
    warn: (details, message) => warnings.push({ details, message }),
  });
  await service.searchTransfers(signal);
};

/** Forgets every search, and what came of it. */
export const forgetSearches = async ({ network, proxies }: TokenEnvironment): Promise<void> => {
  for (const proxy of Object.values(proxies)) {
    proxy.decide = () => 'pass';
    proxy.forget();
  }
  for (const table of ['transfer_endpoint', 'transfer_search', 'wallet_token', 'chain_token'])
    await network.sql(`delete from ${table}`);
};
