import type { Address, Hex } from 'viem';
import { httpUrl, integer, loadAddressFunctions, type Parse, splitList } from '../parse.js';
import { byProfile, optional, variable } from '../variable-row.js';
import { DEVELOPMENT_WALLET_ID, walletId } from '../wallet-id.js';

/** A function of a contract that registrations may call before the account is registered. */
export interface AllowedCall {
  readonly target: Address;
  /** First 4 bytes of the call's data. */
  readonly selector: Hex;
  /** Wei that a call may send, in decimal digits. */
  readonly maxWei: string;
}

/** @returns the amount as it is written; a million ether and more are taken for a mistake */
const ether: Parse<string> = (text, report) => {
  if (/^\d{1,6}(\.\d{1,18})?$/.test(text)) return text;
  return report('is no amount of ether, like 0.1.');
};

const SELECTOR_LENGTH = 10;

const allowedCalls: Parse<readonly AllowedCall[]> = (text, report) => {
  const { getAddress, isAddress, isHex } = loadAddressFunctions();
  const calls = splitList(text).map((entry): AllowedCall | undefined => {
    const [target = '', selector = '', value = '0'] = entry.split(':');
    const isSelector = isHex(selector) && selector.length === SELECTOR_LENGTH;
    if (!isAddress(target, { strict: false }) || !isSelector || !/^\d{1,30}$/.test(value)) return undefined;
    return { target: getAddress(target), selector: selector.toLowerCase() as Hex, maxWei: value };
  });
  if (calls.every((call) => call !== undefined)) return calls;
  return report('is no list of ADDRESS:SELECTOR or ADDRESS:SELECTOR:WEI, like 0x1234...abcd:0xa9059cbb.');
};

/** Variables of accounts and storage that wallets of the service buy. */
export const ACCOUNT_VARIABLES = {
  CASTELLAN_DAILY_SPEND_ETHER: byProfile(
    ether,
    { dev: '100', serve: '0.1' },
    'What an app may spend a day (UTC) for accounts and storage, and a wallet for accounts that are registered in advance, with the highest gas that was offered ([accounts](accounts.md)).',
  ),
  CASTELLAN_SIGNER_SPONSOR_WALLET: byProfile<string | undefined>(
    walletId,
    { dev: DEVELOPMENT_WALLET_ID, serve: undefined },
    'Wallet that pays for the registration of keys whose app asked the service to sponsor them (`sponsored_by_service`), within `CASTELLAN_DAILY_SPEND_ETHER` ([writing](writing.md#keys-that-the-service-pays-for)).',
  ),
  CASTELLAN_RESERVATIONS: variable(
    integer(1, 1000),
    5,
    'Accounts that an app may have reserved at a time: each that is not there yet costs a registration.',
  ),
  CASTELLAN_ACCOUNT_POOL: variable(
    integer(0, 1000),
    0,
    'Accounts that each wallet which registers accounts has ready in advance, so that reserving one is immediate. 0: they are registered on request, which takes a few seconds.',
  ),
  CASTELLAN_FNAME_REGISTRY_URL: optional(
    httpUrl,
    'Name registry with the interface of the public one, where names are registered and looked up. `dev` without a hub has one of its own.',
  ),
  CASTELLAN_REGISTRATION_CALLS: variable<readonly AllowedCall[]>(
    allowedCalls,
    [],
    'Calls that `pre_registration_calls` may contain: `ADDRESS:SELECTOR:WEI`, separated by commas, with the first four bytes of the call as hex and what it may send at most (0 if left out). They run as Multicall3, not as the wallet.',
    'none',
  ),
};
