import { type Address, isAddress, zeroAddress } from 'viem';
import { invalidField } from '../error.js';

/** @returns whether an address is all lower case, all upper case, or has a valid checksum (ERC-55) */
export const hasRightCase = (address: string): boolean => {
  const digits = address.slice(2);
  return digits === digits.toLowerCase() || digits === digits.toUpperCase() || isAddress(address);
};

/**
 * @param address `0x` and 40 hex digits
 * @returns the address in lower case
 * @throws AppError invalid with `property` for an address in mixed case whose checksum (ERC-55) is wrong
 */
export const checkedAddress = (address: string, property: string): Address => {
  if (hasRightCase(address)) return address.toLowerCase() as Address;
  const message = `${property}: the checksum of ${address} is wrong. Look the address up again, or send it in lower case.`;
  throw invalidField(property, message);
};

/**
 * @param address `0x` and 40 hex digits, of somebody who receives or signs something
 * @returns the address in lower case
 * @throws AppError invalid with `property` for a wrong checksum, and for the zero address, whose key nobody has
 */
export const usableAddress = (address: string, property: string): Address => {
  const checked = checkedAddress(address, property);
  if (checked !== zeroAddress) return checked;
  throw invalidField(property, `${property} must not be the zero address: nobody has its key.`);
};
