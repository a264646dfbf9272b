/**
 * Limits of the protocol as hubs enforce them (farcasterxyz/snapchain src/core/validations, engine version 20), in
 * bytes unless a name says otherwise. Limits that depend on an account's state (long casts and banners need a paying
 * account) cannot be checked on a message alone and are not enforced here.
 */

/** Seconds by which a message may be ahead of the clock. */
export const MAX_CLOCK_SKEW_SECONDS = 600;

/** Data of most message types. */
export const MAX_DATA_BYTES = 2048;
/** Data of casts, which may hold 10,000 bytes of text, and of username proofs, whose signature may be long. */
export const MAX_LONG_DATA_BYTES = 16_384;
/** Data of a link compact state, the largest of all types. */
export const MAX_COMPACT_STATE_DATA_BYTES = 65_536;
/** The whole `Message`: it may contain the data twice, plus hash, signature and signer. */
export const MAX_MESSAGE_BYTES = 2 * MAX_COMPACT_STATE_DATA_BYTES + 1024;

/** Text of a cast by `CastType`, with the length above which the type is allowed. */
export const CAST_TEXT_BYTES: readonly { readonly above: number; readonly max: number }[] = [
  { above: -1, max: 320 },
  { above: 320, max: 1024 },
  { above: 1024, max: 10_000 },
];
export const MAX_EMBEDS = 4;
/** Bare URL embeds, allowed only before `EMBEDS_DEPRECATED_END`. */
export const MAX_DEPRECATED_EMBEDS = 2;
/** 2023-05-03T00:00:00Z in protocol seconds: casts from then on have no bare URL embeds. */
export const EMBEDS_DEPRECATED_END = 73_612_800;
export const MAX_MENTIONS = 10;
export const MAX_URL_BYTES = 256;
export const MAX_LINK_TYPE_BYTES = 8;

export const HASH_BYTES = 20;
export const ETH_ADDRESS_BYTES = 20;
export const SOL_ADDRESS_BYTES = 32;
export const BLOCK_HASH_BYTES = 32;
export const ED25519_KEY_BYTES = 32;
export const ED25519_SIGNATURE_BYTES = 64;
export const ETH_SIGNATURE_BYTES = 65;

/** The claim signature of a contract wallet may contain its deployment code. */
export const MAX_CONTRACT_SIGNATURE_BYTES = 2048;

export const MAX_DISPLAY_NAME_BYTES = 32;
/** Bio, URL, picture, banner, live-at and profile token. */
export const MAX_USER_DATA_BYTES = 256;
export const MAX_TWITTER_BYTES = 15;
export const MAX_GITHUB_BYTES = 38;
/** Sixteen characters of name and `.eth`. */
export const MAX_ENS_NAME_BYTES = 20;
/** Sixteen characters of name and `.base.eth`. */
export const MAX_BASENAME_BYTES = 25;

/** Storage units that one message may lend. */
export const MAX_LENT_UNITS = 5000;

/** Maximum lifetime of a key after its last use: 90 days. */
export const MAX_KEY_TTL_SECONDS = 7_776_000;
export const MAX_KEY_SCOPES = 16;
