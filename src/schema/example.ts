/**
 * Casts that every sample network has, so that the examples of the reference have responses.
 * `src/sample/example-data.ts` writes them, and `example-data.test.ts` compares these hashes.
 */
export const EXAMPLE_HASH = {
  /** A cast of account 1 in the channel `dev`, with replies, a quote, likes and recasts. */
  root: '0xdc19f5047602e4de5b63a6b56ba545ac37f41d45',
  /** The reply of account 2 to it. */
  reply: '0xee999b45d98e19f7a2bac922de4ca1ef37cf4d4a',
  /** A cast of account 1 that nothing refers to, to be deleted. */
  spare: '0xcb3df134da0bf89bf1266dad0defe912c54cb128',
} as const;

/** A signer that `castellan dev` creates, approved by account 1 of the sample network. */
export const EXAMPLE_SIGNER_UUID = '00000000-0000-4000-8000-000000000051';

/** The wallet of `castellan dev` on its local chain. */
export const EXAMPLE_WALLET_UUID = '00000000-0000-4000-8000-0000000000de';

/** A verified address of account 1. */
export const EXAMPLE_VERIFIED_ADDRESS = '0x9cab297a5d4a443bbbc43079f2e2b7680227b09e';

/** The custody address of account 1. */
export const EXAMPLE_CUSTODY_ADDRESS = '0x59e8a0b985bf1c3ae2c650874a03ee9c5ff89444';

/** The address of the channel `dev`. */
export const EXAMPLE_CHANNEL_URL = 'https://castellan.example/~/channel/dev';

/** Test Dollar of the local chain (src/onchain/local/token.ts). */
export const EXAMPLE_TOKEN = '0xd4b9681c71f57cdecb84f35d9672f55ab0fd38af';

/** Stands for the coin of a network where a token is named by its contract. */
export const EXAMPLE_NATIVE_TOKEN = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';

/** Organization and app of a new installation. */
export const EXAMPLE_ORGANIZATION_UUID = '00000000-0000-4000-8000-000000000001';
export const EXAMPLE_APP_UUID = '00000000-0000-4000-8000-000000000002';

/** Where the id of something that a caller made has to stand. */
export const EXAMPLE_UUID = '00000000-0000-4000-8000-000000000000';

/** The first subscription contract of the local chain, which account 1 owns (src/onchain/local/subscription.ts). */
export const EXAMPLE_SUBSCRIPTION_CONTRACT = '0xffafbeea22ccaa6135275c1cd0533492bba9bb31';

/** Custody addresses of account 2, which is subscribed to that contract, and of account 9, whose time has passed. */
export const EXAMPLE_SUBSCRIBERS = [
  '0xb115c2044dc5c71027acef7429f73837a7e4d1de',
  '0xafc96f05e7529ab5c64aaa79959ca9f8d41e8003',
] as const;
