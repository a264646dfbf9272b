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
