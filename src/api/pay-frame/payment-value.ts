import { toHex } from '../../hex.js';
import type { Network } from '../../onchain/network.js';
import { type Decimal, multiply, parseDecimal, unitsOf } from '../../onchain/token/decimal.js';
import type { PayFrameRow } from '../../store/onchain/pay-frame.js';
import { withTimeout } from '../../timeout.js';
import type { OperationRequest } from '../http/operation.js';
import type { Services } from '../http/service.js';

/** A page does not wait longer for the price; the next look at the payment may have it. */
const PRICE_MS = 1000;
const CENT_DECIMALS = 2;

/** @returns dollars with two decimals, `12.30`; `0.00` below a cent */
const inCents = (dollars: Decimal): string => {
  const text = unitsOf(dollars, CENT_DECIMALS)
    .toString()
    .padStart(CENT_DECIMALS + 1, '0');
  return `${text.slice(0, -CENT_DECIMALS)}.${text.slice(-CENT_DECIMALS)}`;
};

/**
 * @returns what the amount of a page is worth in US dollars, with two decimals; undefined where the price of its token is
 *   unknown, or its chain or the price does not come in time
 */
export const paymentValue = async (
  { tokenMetadata }: Pick<Services, 'tokenMetadata'>,
  { network, token, amount }: PayFrameRow,
  log: OperationRequest['log'],
): Promise<string | undefined> => {
  const number = parseDecimal(amount);
  if (number === undefined) return undefined;
  try {
    const read = tokenMetadata.read([{ network: network as Network, address: toHex(token) }]);
    const { facts } = await withTimeout(read, PRICE_MS);
    const price = facts[0]?.price;
    return price && inCents(multiply(number, price.usd));
  } catch (error) {
    log.debug({ err: error, network }, 'the price of a payment is unknown');
    return undefined;
  }
};
