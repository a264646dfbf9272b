import { cases } from './front.js';
import { HTTP_FID, LIKE_SNAPCHAIN } from './reason.js';

export const HUBBLE_FIDS = cases({
  peer: 'hubble',
  file: 'signerService.test.ts',
  id: 'hubble-fids',
  over: 'grpc',
  state: async (front) => ({ front }),
  rows: [
    {
      title: 'a hub without accounts',
      theirs: '[]',
      call: 'getFids',
    },
    {
      title: 'all accounts, in the order of their numbers',
      theirs: '[first, second]',
      call: 'getFids',
      request: async ({ front }, surface) => {
        if (surface === 'grpc')
          await front.store(front.stranger('first').register(), front.stranger('second').register());
        return {};
      },
    },
    {
      title: 'a page of one',
      theirs: '[first]',
      call: 'getFids',
      request: () => ({ pageSize: 1 }),
    },
    {
      title: 'a page that is larger than the list',
      theirs: '[first, second]',
      call: 'getFids',
      request: () => ({ pageSize: 3 }),
    },
    {
      title: 'a page token goes on after the page before',
      theirs: '[second]',
      call: 'getFids',
      request: () => ({ pageSize: 1 }),
      next: () => ({ pageSize: 1 }),
    },
  ],
});

export const HUBBLE_SIGNER = cases({
  peer: 'hubble',
  file: 'signerService.test.ts',
  id: 'hubble-signer',
  over: 'grpc',
  state: async (front) => {
    const [alice, bob, keyless] = [front.stranger('alice'), front.stranger('bob'), front.stranger('keyless')];
    const second = alice.withKey(1);
    await front.write({
      registration: alice.register(),
      firstKey: await alice.addSigner(),
      secondKey: await second.addSigner(),
      ofBob: bob.register(),
      keyOfBob: await bob.addSigner(),
      ofKeyless: keyless.register(),
    });
    return { front, alice, second, fid: alice.fid, keyless: keyless.fid, nobody: front.stranger() };
  },
  rows: [
    {
      title: 'a key of an account',
      theirs: 'firstKey',
      call: 'getOnChainSigner',
      request: ({ fid, alice }) => ({ fid, signer: alice.signer }),
    },
    {
      title: 'a key that is not registered',
      theirs: 'NOT_FOUND',
      call: 'getOnChainSigner',
      request: ({ keyless, alice }) => ({ fid: keyless, signer: alice.signer }),
    },
    {
      title: 'no key',
      theirs: 'INVALID_ARGUMENT bad_request.validation_failure',
      ours: 'NOT_FOUND',
      other: '400 bad_request.invalid_param',
      reason: `${LIKE_SNAPCHAIN} Over HTTP a key has 32 bytes.`,
      call: 'getOnChainSigner',
      request: ({ fid }) => ({ fid, signer: new Uint8Array() }),
    },
    {
      title: 'no account',
      theirs: 'INVALID_ARGUMENT bad_request.validation_failure',
      ours: 'NOT_FOUND',
      other: '400 bad_request.invalid_param',
      reason: `${LIKE_SNAPCHAIN} ${HTTP_FID}`,
      call: 'getOnChainSigner',
      request: ({ alice }) => ({ fid: 0, signer: alice.signer }),
    },
    {
      title: 'all keys of an account, and none of another',
      theirs: '[firstKey, secondKey]',
      call: 'getOnChainSignersByFid',
      request: ({ fid }) => ({ fid }),
    },
    {
      title: 'a page of one',
      theirs: '[firstKey]',
      call: 'getOnChainSignersByFid',
      request: ({ fid }) => ({ fid, pageSize: 1 }),
    },
    {
      title: 'a page that is larger than the list',
      theirs: '[firstKey, secondKey]',
      call: 'getOnChainSignersByFid',
      request: ({ fid }) => ({ fid, pageSize: 3 }),
    },
    {
      title: 'a page token goes on after the page before',
      theirs: '[secondKey]',
      call: 'getOnChainSignersByFid',
      request: ({ fid }) => ({ fid, pageSize: 1 }),
      next: ({ fid }) => ({ fid }),
    },
    {
      title: 'an account without keys',
      theirs: '[]',
      call: 'getOnChainSignersByFid',
      request: ({ keyless }) => ({ fid: keyless }),
    },
    {
      title: 'a key that was removed is left out',
      theirs: '[secondKey]',
      call: 'getOnChainSignersByFid',
      request: async ({ front, alice, fid }, surface) => {
        if (surface === 'grpc') await front.store(alice.removeSigner());
        return { fid };
      },
    },
    {
      title: 'the registration of an account',
      theirs: 'registration',
      other: null,
      call: 'getIdRegistryOnChainEvent',
      request: ({ fid }) => ({ fid }),
    },
    {
      title: 'an account that is not registered',
      theirs: 'NOT_FOUND',
      other: null,
      call: 'getIdRegistryOnChainEvent',
      request: ({ nobody }) => ({ fid: nobody.fid }),
    },
    {
      title: 'the registration of the account that an address holds',
      theirs: 'registration',
      call: 'getIdRegistryOnChainEventByAddress',
      request: ({ alice }) => ({ address: alice.custody.address }),
    },
    {
      title: 'an address that holds no account',
      theirs: 'NOT_FOUND',
      call: 'getIdRegistryOnChainEventByAddress',
      request: ({ nobody }) => ({ address: nobody.custody.address }),
    },
  ],
});
