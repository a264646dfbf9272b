import { expect, test } from 'vitest';
import { nameServer, usernameProof } from '../sample/verification-claim.js';
import { recoverNameClaim } from './eip712.js';
import { isRegistryProof } from './name-registry.js';

test("a proof is taken for the registry's only when the registry signed it", async () => {
  const server = nameServer('somebody else');
  const proof = await usernameProof(
    { name: 'alice', timestamp: 1_700_000_000, owner: server.address, fid: 7, type: 1 },
    server,
  );
  expect(recoverNameClaim(proof)).toEqual(server.address);
  expect(isRegistryProof(proof)).toBe(false);
  // A proof of the public registry, published in the tests of the protocol's own software.
  const real = {
    name: Buffer.from('farcaster'),
    owner: Buffer.from('8773442740c17c9d0f0b87022c722f9a136206ed', 'hex'),
    timestamp: 1_628_882_891,
    signature: Buffer.from(
      'b7181760f14eda0028e0b647ff15f45235526ced3b4ae07fcce06141b73d32960d3253776e62f761363fb8137087192047763f4af838950a96f3885f3c2289c41b',
      'hex',
    ),
  };
  expect(isRegistryProof(real)).toBe(true);
  expect(isRegistryProof({ ...real, timestamp: real.timestamp + 1 })).toBe(false);
});
