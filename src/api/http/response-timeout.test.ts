import { expect, it } from 'vitest';
import { CALL_TIMEOUTS } from '../../onchain/rpc/transport.js';
import { TOKEN_TIMEOUTS } from '../../onchain/token/timeout.js';
import { RESPONSE_TIMEOUTS } from './response-timeout.js';

/** Flow tests shorten these times, so they cannot show that the usual ones add up to less than this. */
const REQUEST_MS = 10_000;

it('a request that waits for a receipt or for owners ends within ten seconds, even if the chain fails then', () => {
  for (const waited of Object.values(RESPONSE_TIMEOUTS)) {
    expect(waited + CALL_TIMEOUTS.afterFailure).toBeLessThan(REQUEST_MS);
  }
});

it('a request without any answer of a chain ends within ten seconds', () => {
  expect(CALL_TIMEOUTS.total).toBeLessThan(REQUEST_MS);
});

it('a request that waits for a network and then for prices ends within ten seconds', () => {
  expect(TOKEN_TIMEOUTS.network + TOKEN_TIMEOUTS.prices).toBeLessThan(REQUEST_MS);
  expect(TOKEN_TIMEOUTS.priceApi).toBeLessThan(TOKEN_TIMEOUTS.prices);
});
