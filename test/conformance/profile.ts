import { UserDataType } from '@farcaster/core';
import { expect } from 'vitest';
import { ethereumVerification } from '../../src/sample/verification-claim.js';
import { type Case, casesOf } from './case.js';
import { hex } from './page.js';
import { CAROL, DAN, NO_SIGNER, untilTooLate, type WriteWorld } from './write-environment.js';

/** Dan's claim to an address, as the client sends it. */
const claim = async ({ network, seeded, signers }: WriteWorld, index = 5) => {
  const claimed = { fid: DAN, network: network.app.core.network, blockHash: Buffer.alloc(32, 7) };
  const { address, blockHash, claimSignature } = await ethereumVerification(claimed, seeded.dan.wallet(index));
  return {
    signerUuid: signers.dan,
    address: hex(address),
    blockHash: hex(blockHash),
    ethSignature: hex(claimSignature),
  };
};

/** What users say of themselves. */
export const profileCases: readonly Case<WriteWorld>[] = casesOf<WriteWorld>()(
  {
    id: 'update-user',
    does: 'changes every member of a profile, and tells which could not be changed',
    call: ({ api }, { signers }) => api.updateUser({ signerUuid: signers.carol, bio: 'Reads' }),
    look: async ({ api }, world) => {
      const signerUuid = world.signers.carol;
      const claimed = world.seeded.carol.wallet(1);
      await world.network.load([(await world.seeded.carol.verifyEthereum(claimed)).item]);
      await world.network.load([world.seeded.carol.verifySolana(world.seeded.carol.solanaKey(0)).item]);
      const [carol] = (await api.fetchBulkUsers({ fids: [CAROL] })).users;
      const { eth_addresses: eth, sol_addresses: sol } = carol?.verified_addresses ?? {};
      await api.updateUser({
        signerUuid,
        bio: 'Reads and writes',
        displayName: 'Carol 🌊',
        pfpUrl: 'https://image.example/carol.png',
        banner: 'https://image.example/banner.png',
        url: 'https://carol.example',
        location: { latitude: -33.865, longitude: 151.2094 },
        username: 'caroline',
        verifiedAccounts: { x: 'carol_reads' },
        primaryEthAddress: eth?.[0] as string,
        primarySolAddress: sol?.[0] as string,
      });
      const { user } = await api.lookupUserByUsername({ username: 'caroline' });
      expect(user).toMatchObject({
        fid: CAROL,
        display_name: 'Carol 🌊',
        profile: { bio: { text: 'Reads and writes' }, location: { latitude: -33.86 } },
        verified_accounts: [{ platform: 'x', username: 'carol_reads' }],
      });
      const partly = await api.updateUser({ signerUuid, bio: 'Reads', username: 'not.hers.eth' });
      expect(partly).toMatchObject({ success: false });
    },
    errors: {
      404: ({ api }) => api.updateUser({ signerUuid: NO_SIGNER, bio: 'Nobody' }),
      409: ({ api }, world) =>
        untilTooLate(
          world,
          (at) => world.seeded.dan.userData(UserDataType.BIO, 'from tomorrow', at),
          (turn) => api.updateUser({ signerUuid: world.signers.dan, bio: `turn ${turn}` }),
        ),
    },
    late: ({ api }, { signers }) => api.updateUser({ signerUuid: signers.carol, bio: 'Waits' }),
  },
  {
    id: 'publish-verification',
    does: 'verifies an address that its owner claims',
    call: async ({ api }, world) => api.publishVerification(await claim(world)),
    look: async ({ api }, world) => {
      const body = await claim(world);
      await api.publishVerification({ ...body, verificationType: 0, chainId: 0 });
      const found = await api.fetchBulkUsersByEthOrSolAddress({ addresses: [body.address] });
      expect(found[body.address]?.[0]?.fid).toBe(DAN);
    },
    errors: {
      404: async ({ api }, world) => api.publishVerification({ ...(await claim(world)), signerUuid: NO_SIGNER }),
      409: async ({ api }, world) => {
        const body = await claim(world, 6);
        const { address } = world.seeded.dan.wallet(6);
        return untilTooLate(
          world,
          (at) => world.seeded.dan.removeVerification(0, address, at),
          () => api.publishVerification(body),
          () => api.deleteVerification(body),
        );
      },
    },
    late: async ({ api }, world) => api.publishVerification(await claim(world)),
  },
  {
    id: 'delete-verification',
    does: 'gives an address up',
    call: async ({ api }, world) => api.deleteVerification(await claim(world)),
    look: async ({ api }, world) => {
      const body = await claim(world);
      await api.publishVerification(body);
      await api.deleteVerification(body);
      const { users } = await api.fetchBulkUsers({ fids: [DAN] });
      expect(users[0]?.verified_addresses.eth_addresses).not.toContain(body.address);
    },
    errors: {
      404: async ({ api }, world) => api.deleteVerification({ ...(await claim(world)), signerUuid: NO_SIGNER }),
      409: async ({ api }, world) => {
        const body = await claim(world, 7);
        return untilTooLate(
          world,
          (at) => world.seeded.dan.verifyEthereum(world.seeded.dan.wallet(7), at),
          () => api.deleteVerification(body),
          () => api.publishVerification(body),
        );
      },
    },
    late: async ({ api }, world) => {
      await world.network.load([(await world.seeded.dan.verifyEthereum(world.seeded.dan.wallet(7))).item]);
      return api.deleteVerification(await claim(world, 7));
    },
  },
);
