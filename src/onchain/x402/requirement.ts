import { type Address, isAddressEqual, zeroAddress } from 'viem';
import type { Problem } from '../../error.js';
import { hasRightCase } from '../checked-address.js';
import type { AssetLookup, DomainName, PayableAsset, PaymentNetwork } from './asset.js';

/** One way to pay that a server accepts: `PaymentRequirements` of x402 version 1. */
export interface PaymentRequirement {
  readonly scheme: string;
  readonly network: PaymentNetwork;
  readonly maxAmountRequired: string;
  readonly asset: string;
  readonly payTo: string;
  readonly resource: string;
  readonly maxTimeoutSeconds: number;
  readonly extra?: Readonly<Record<string, unknown>> | null;
}

/** A payment that the wallet may sign. */
export interface Offer {
  /** Position in the list of the request. */
  readonly index: number;
  readonly asset: PayableAsset;
  /** Lower case. */
  readonly payTo: Address;
  /** In the smallest unit of the asset. */
  readonly value: bigint;
  /** How long the payment may be collected, in whole seconds. */
  readonly timeoutSeconds: number;
  readonly resource: string;
  /** What the request says about the domain of the asset; it may be wrong. */
  readonly stated: Partial<DomainName>;
}

/** An authorization is spendable as long as this, so a longer one is refused. */
export const MAX_TIMEOUT_SECONDS = 3600;
/** Facilitators refuse what expires earlier (`@x402/evm` 2.27: now + 6 s). */
const MIN_TIMEOUT_SECONDS = 6;
const MAX_UINT256 = 2n ** 256n - 1n;
/** Maximum length of a domain's name and version, far above those of real tokens. */
const MAX_DOMAIN_TEXT = 128;

/** @returns the fault of a member of one requirement */
export const faultOf = (index: number, member: string, expected: string, received: unknown): Problem => {
  const path = ['payment_requirements', 'accepts', String(index), ...member.split('.')];
  const shown = typeof received === 'string' ? received : String(JSON.stringify(received));
  return {
    code: 'invalid_value',
    expected,
    received: shown.slice(0, 200),
    path,
    message: `payment_requirements.accepts[${index}].${member} must be ${expected}`,
  };
};

const isDomainText = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.length <= MAX_DOMAIN_TEXT);

/**
 * @param wallet address of the payer
 * @returns what would be signed; or why the wallet does not sign it, which names the first fault
 */
export const readOffer = (
  requirement: PaymentRequirement,
  index: number,
  { assetOf, wallet }: { readonly assetOf: AssetLookup; readonly wallet: Address },
): Offer | Problem => {
  const fault = (member: keyof PaymentRequirement | `extra.${string}`, expected: string, received: unknown): Problem =>
    faultOf(index, member, expected, received);
  const { scheme, network, maxAmountRequired, payTo, resource, maxTimeoutSeconds } = requirement;
  const extra = requirement.extra ?? {};
  if (scheme !== 'exact') return fault('scheme', '"exact"', scheme);
  const { assetTransferMethod = 'eip3009' } = extra;
  if (assetTransferMethod !== 'eip3009') {
    return fault('extra.assetTransferMethod', '"eip3009", the only kind of payment signed here', assetTransferMethod);
  }
  const asset = assetOf(network, requirement.asset);
  if (!asset) {
    const expected = 'USDC of its network, or a token that the operator allows (CASTELLAN_X402_ASSETS)';
    return fault('asset', expected, requirement.asset);
  }
  if (!hasRightCase(requirement.asset)) return fault('asset', 'an address with a right checksum', requirement.asset);
  if (!hasRightCase(payTo)) return fault('payTo', 'an address with a right checksum', payTo);
  const to = payTo.toLowerCase() as Address;
  if (isAddressEqual(to, zeroAddress) || isAddressEqual(to, wallet) || isAddressEqual(to, asset.address)) {
    return fault('payTo', 'neither the zero address nor the wallet or the token itself', payTo);
  }
  const value = /^\d{1,78}$/.test(maxAmountRequired) ? BigInt(maxAmountRequired) : 0n;
  if (value <= 0n || value > MAX_UINT256) {
    return fault('maxAmountRequired', 'a whole number above 0 in decimal digits', maxAmountRequired);
  }
  if (value > asset.maxPayment) {
    const expected = `at most ${asset.maxPayment}, which the operator allows for one payment`;
    return fault('maxAmountRequired', expected, maxAmountRequired);
  }
  const timeoutSeconds = Math.floor(maxTimeoutSeconds);
  if (!(timeoutSeconds >= MIN_TIMEOUT_SECONDS && timeoutSeconds <= MAX_TIMEOUT_SECONDS)) {
    return fault('maxTimeoutSeconds', `from ${MIN_TIMEOUT_SECONDS} to ${MAX_TIMEOUT_SECONDS}`, maxTimeoutSeconds);
  }
  for (const member of ['name', 'version'] as const) {
    if (!isDomainText(extra[member])) return fault(`extra.${member}`, 'a short text', extra[member]);
  }
  const stated = { name: extra.name ?? undefined, version: extra.version ?? undefined } as Partial<DomainName>;
  return { index, asset, payTo: to, value, timeoutSeconds, resource, stated };
};
