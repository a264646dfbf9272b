import { UserDataType } from '@farcaster/core';
import { expect } from 'vitest';
import { ethereumVerification } from '../../src/sample/verification-claim.js';
import { type Case, casesOf } from './case.js';
import { hex } from './page.js';
import { CAROL, DAN, NO_SIGNER, untilClockSkewLimit, type WriteEnvironment } from './write-environment.js';

/** Dan's claim to an address, as the client sends it. */
const claim = async ({ network, seeded, signers }: WriteEnvironment, index = 5) => {
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
export const profileCases: readonly Case<WriteEnvironment>[] = casesOf<WriteEnvironment>()(
  {
    id: 'update-user',
    does: 'changes every member of a profile, and tells which could not be changed',
    call: ({ api }, { signers }) => api.updateUser({ signerUuid: signers.carol, bio: 'Reads' }),
    look: async ({ api }, environment) => {
      const signerUuid = environment.signers.carol;
      const claimed = environment.seeded.carol.wallet(1);
      await environment.network.load([(await environment.seeded.carol.verifyEthereum(claimed)).item]);
      await environment.network.load([
        environment.seeded.carol.verifySolana(environment.seeded.carol.solanaKey(0)).item,
      ]);
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
      409: ({ api }, environment) =>
        untilClockSkewLimit(
          environment,
          (at) => environment.seeded.dan.userData(UserDataType.BIO, 'from tomorrow', at),
          (turn) => api.updateUser({ signerUuid: environment.signers.dan, bio: `turn ${turn}` }),
        ),
    },
    late: ({ api }, { signers }) => api.updateUser({ signerUuid: signers.carol, bio: 'Waits' }),
  },
  {
    id: 'publish-verification',
    does: 'verifies an address that its owner claims',
    call: async ({ api }, environment) => api.publishVerification(await claim(environment)),
    look: async ({ api }, environment) => {
      const body = await claim(environment);
      await api.publishVerification({ ...body, verificationType: 0, chainId: 0 });
      const found = await api.fetchBulkUsersByEthOrSolAddress({ addresses: [body.address] });
      expect(found[body.address]?.[0]?.fid).toBe(DAN);
    },
    errors: {
      404: async ({ api }, environment) =>
        api.publishVerification({ ...(await claim(environment)), signerUuid: NO_SIGNER }),
      409: async ({ api }, environment) => {
        const body = await claim(environment, 6);
        const { address } = environment.seeded.dan.wallet(6);
        return untilClockSkewLimit(
          environment,
          (at) => environment.seeded.dan.removeVerification(0, address, at),
          () => api.publishVerification(body),
          () => api.deleteVerification(body),
        );
      },
    },
    late: async ({ api }, environment) => api.publishVerification(await claim(environment)),
  },
  {
    id: 'delete-verification',
    does: 'gives an address up',
    call: async ({ api }, environment) => api.deleteVerification(await claim(environment)),
    look: async ({ api }, environment) => {
      const body = await claim(environment);
      await api.publishVerification(body);
      await api.deleteVerification(body);
      const { users } = await api.fetchBulkUsers({ fids: [DAN] });
      expect(users[0]?.verified_addresses.eth_addresses).not.toContain(body.address);
    },
    errors: {
      404: async ({ api }, environment) =>
        api.deleteVerification({ ...(await claim(environment)), signerUuid: NO_SIGNER }),
      409: async ({ api }, environment) => {
        const body = await claim(environment, 7);
        return untilClockSkewLimit(
          environment,
          (at) => environment.seeded.dan.verifyEthereum(environment.seeded.dan.wallet(7), at),
          () => api.deleteVerification(body),
          () => api.publishVerification(body),
        );
      },
    },
    late: async ({ api }, environment) => {
      await environment.network.load([
        (await environment.seeded.dan.verifyEthereum(environment.seeded.dan.wallet(7))).item,
      ]);
      return api.deleteVerification(await claim(environment, 7));
    },
  },
);
