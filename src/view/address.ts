import { base58 } from '@scure/base';

/** @returns an Ethereum address as the interface writes it: 0x and lower-case hex. */
export const viewEthAddress = (hex: string): string => `0x${hex}`;

/** @returns a Solana address as the interface writes it: base58 of its 32 bytes. */
export const viewSolAddress = (hex: string): string => base58.encode(Buffer.from(hex, 'hex'));

/** Stands for the custody address of an account whose registration is not known (the member is required). */
export const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;
