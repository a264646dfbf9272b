import { expect, it } from 'vitest';
import { startNetwork } from './support/network.js';

it('guessing approval addresses is rate limited, with a Retry-After', async () => {
  const network = await startNetwork({ CASTELLAN_RATE_LIMIT_PER_MINUTE: '3' });
  try {
    const statuses: number[] = [];
    for (let n = 0; n < 5; n++) {
      const token = String(n).repeat(43);
      // Page and JSON count together: both ask the database.
      const response = await fetch(`${network.url}/approve/${token}${n % 2 === 0 ? '' : '/request'}`);
      statuses.push(response.status);
      if (response.status === 429) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(statuses).toEqual([404, 404, 404, 429, 429]);
  } finally {
    await network.stop();
  }
});
