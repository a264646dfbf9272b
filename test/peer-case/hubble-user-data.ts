import { UserDataType } from '@farcaster/core';
import { cases } from './front.js';
import { HTTP_FID, LIKE_SNAPCHAIN, PARAMETER } from './reason.js';

const { PFP, DISPLAY, USERNAME, LOCATION } = UserDataType;

export const HUBBLE_USER_DATA = cases({
  peer: 'hubble',
  file: 'userDataService.test.ts',
  id: 'hubble-user-data',
  over: 'grpc',
  state: async (front) => {
    const [alice, quiet] = [await front.account('alice', 5), await front.account('quiet')];
    await front.write({
      picture: alice.userData(PFP, 'https://image.example/alice.png'),
      display: alice.userData(DISPLAY, 'Alice'),
    });
    return { front, alice, fid: alice.fid, quiet: quiet.fid };
  },
  rows: [
    {
      title: 'a picture',
      theirs: 'picture',
      call: 'getUserData',
      request: ({ fid }) => ({ fid, userDataType: PFP }),
    },
    {
      title: 'a display name',
      theirs: 'display',
      call: 'getUserData',
      request: ({ fid }) => ({ fid, userDataType: DISPLAY }),
    },
    {
      title: 'everything of an account, in the order of its time',
      theirs: '[picture, display]',
      call: 'getUserDataByFid',
      request: ({ fid }) => ({ fid }),
    },
    {
      title: 'the username, after its proof and then the message came',
      theirs: 'username',
      call: 'getUserData',
      request: async ({ front, alice, fid }) => {
        await front.store(await alice.fnameProof('alice'));
        await front.write({ username: alice.userData(USERNAME, 'alice', front.clock.now()) });
        return { fid, userDataType: USERNAME };
      },
    },
    {
      title: 'the proof of the name',
      theirs: 'alice of alice',
      call: 'getUsernameProof',
      request: () => ({ name: Buffer.from('alice') }),
    },
    {
      title: 'the proof of an ENS name comes after that of the name',
      theirs: '[alice of alice, alice.eth of alice]',
      call: 'getUserNameProofsByFid',
      request: async ({ front, alice, fid }, surface) => {
        if (surface === 'grpc') await front.store(await alice.ensProof('alice.eth'));
        return { fid };
      },
    },
    {
      title: 'the ENS name as the username replaces the other one',
      theirs: 'ensUsername',
      call: 'getUserData',
      request: async ({ front, alice, fid }, surface) => {
        if (surface === 'grpc') await front.write({ ensUsername: alice.userData(USERNAME, 'alice.eth') });
        return { fid, userDataType: USERNAME };
      },
    },
    {
      title: 'a location',
      theirs: 'location',
      call: 'getUserData',
      request: async ({ front, alice, fid }, surface) => {
        if (surface === 'grpc') await front.write({ location: alice.userData(LOCATION, 'geo:23.45,-167.78') });
        return { fid, userDataType: LOCATION };
      },
    },
    {
      title: 'an empty location takes the place of the former one',
      theirs: 'noLocation',
      call: 'getUserData',
      request: async ({ front, alice, fid }, surface) => {
        if (surface === 'grpc') await front.write({ noLocation: alice.userData(LOCATION, '') });
        return { fid, userDataType: LOCATION };
      },
    },
    {
      title: 'a picture of an account that has none',
      theirs: 'NOT_FOUND',
      call: 'getUserData',
      request: ({ quiet }) => ({ fid: quiet, userDataType: PFP }),
    },
    {
      title: 'a username of an account that has none',
      theirs: 'NOT_FOUND',
      call: 'getUserData',
      request: ({ quiet }) => ({ fid: quiet, userDataType: USERNAME }),
    },
    {
      title: 'no account',
      theirs: 'INVALID_ARGUMENT bad_request.validation_failure',
      ours: 'NOT_FOUND',
      other: '400 bad_request.invalid_param',
      reason: `${LIKE_SNAPCHAIN} ${HTTP_FID}`,
      call: 'getUserData',
      request: () => ({ fid: 0, userDataType: PFP }),
    },
    {
      title: 'an account without user data',
      theirs: '[]',
      call: 'getUserDataByFid',
      request: ({ quiet }) => ({ fid: quiet }),
    },
  ],
});

const VERIFICATIONS_OF_ADDRESS =
  'Over HTTP the contract has a list, which has one message or none when an address is given.';

export const HUBBLE_VERIFICATION = cases({
  peer: 'hubble',
  file: 'verificationService.test.ts',
  id: 'hubble-verification',
  over: 'grpc',
  state: async (front) => {
    const [alice, bob] = [await front.account('alice'), await front.account('bob')];
    const [solana, ethereum] = [alice.solanaKey(0).publicKey, alice.wallet(1).address];
    await front.write({ ofSolana: alice.verifySolana(alice.solanaKey(0)) });
    await front.write({ ofEthereum: await bob.verifyEthereum(alice.wallet(1)) });
    const quiet = await front.account('quiet');
    return { fid: alice.fid, bob: bob.fid, quiet: quiet.fid, solana, ethereum };
  },
  rows: [
    {
      title: 'of a Solana address',
      theirs: 'ofSolana',
      other: '[ofSolana]',
      reason: VERIFICATIONS_OF_ADDRESS,
      call: 'getVerification',
      request: ({ fid, solana }) => ({ fid, address: solana }),
    },
    {
      title: 'of an Ethereum address',
      theirs: 'ofEthereum',
      other: '[ofEthereum]',
      reason: VERIFICATIONS_OF_ADDRESS,
      call: 'getVerification',
      request: ({ bob, ethereum }) => ({ fid: bob, address: ethereum }),
    },
    {
      title: 'of a Solana address that is not verified',
      theirs: 'NOT_FOUND',
      other: '[]',
      reason: VERIFICATIONS_OF_ADDRESS,
      call: 'getVerification',
      request: ({ quiet, solana }) => ({ fid: quiet, address: solana }),
    },
    {
      title: 'of an Ethereum address that is not verified',
      theirs: 'NOT_FOUND',
      other: '[]',
      reason: VERIFICATIONS_OF_ADDRESS,
      call: 'getVerification',
      request: ({ quiet, ethereum }) => ({ fid: quiet, address: ethereum }),
    },
    {
      title: 'no address',
      theirs: 'INVALID_ARGUMENT bad_request.validation_failure',
      ours: 'NOT_FOUND',
      other: '400 bad_request.invalid_param',
      reason: `${LIKE_SNAPCHAIN} Over HTTP an empty address is refused.`,
      call: 'getVerification',
      request: ({ fid }) => ({ fid, address: new Uint8Array() }),
    },
    {
      title: 'no account',
      theirs: 'INVALID_ARGUMENT bad_request.validation_failure',
      ours: 'INVALID_ARGUMENT bad_request.invalid_param',
      reason: PARAMETER,
      call: 'getVerification',
      request: ({ ethereum }) => ({ fid: 0, address: ethereum }),
    },
    {
      title: 'those of an account: one of Solana',
      theirs: '[ofSolana]',
      call: 'getVerificationsByFid',
      request: ({ fid }) => ({ fid }),
    },
    {
      title: 'those of an account: one of Ethereum',
      theirs: '[ofEthereum]',
      call: 'getVerificationsByFid',
      request: ({ bob }) => ({ fid: bob }),
    },
    {
      title: 'an account without verifications',
      theirs: '[]',
      call: 'getVerificationsByFid',
      request: ({ quiet }) => ({ fid: quiet }),
    },
  ],
});
