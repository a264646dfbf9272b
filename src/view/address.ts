import { base58 } from '@scure/base';

export const viewEthAddress = (hex: string): string => `0x${hex}`;

/** @returns a Solana address: base58 of its 32 bytes */
export const viewSolAddress = (hex: string): string => base58.encode(Buffer.from(hex, 'hex'));

/** Custody address of an account whose registration is unknown (the member is required). */
export const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;
