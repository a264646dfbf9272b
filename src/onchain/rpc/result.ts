import { isObject } from '../../is-object.js';

/** Methods whose result is an object, or null if there is none. */
const OBJECT_METHODS: ReadonlySet<string> = new Set([
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getTransactionByHash',
  'eth_getTransactionReceipt',
]);

/** Methods whose result is a number. */
const QUANTITY_METHODS: ReadonlySet<string> = new Set([
  'eth_blockNumber',
  'eth_chainId',
  'eth_estimateGas',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getTransactionCount',
  'eth_maxPriorityFeePerGas',
]);

/** Methods whose result is bytes. */
const DATA_METHODS: ReadonlySet<string> = new Set([
  'eth_call',
  'eth_getCode',
  'eth_getStorageAt',
  'eth_sendRawTransaction',
]);

/** Members of blocks, transactions, receipts and their events that viem converts to numbers. */
const NUMBERS = [
  ...['baseFeePerGas', 'blobGasPrice', 'blobGasUsed', 'blockNumber', 'blockTimestamp', 'chainId', 'cumulativeGasUsed'],
  ...['depositReceiptVersion', 'difficulty', 'effectiveGasPrice', 'excessBlobGas', 'gas', 'gasLimit', 'gasPrice'],
  ...['gasUsed', 'l1Fee', 'l1GasPrice', 'l1GasUsed', 'logIndex', 'maxFeePerBlobGas', 'maxFeePerGas'],
  ...['maxPriorityFeePerGas', 'mint', 'nonce', 'number', 'size', 'status', 'timestamp', 'totalDifficulty'],
  ...['transactionIndex', 'type', 'v', 'value', 'yParity'],
] as const;

/** At most 256 bits (Ethereum JSON-RPC specification, "uint256"). */
const QUANTITY = /^0x[0-9a-f]{1,64}$/i;
const DATA = /^0x[0-9a-f]*$/i;

export const isQuantity = (value: unknown): boolean => typeof value === 'string' && QUANTITY.test(value);
const isData = (value: unknown): boolean => typeof value === 'string' && DATA.test(value);

type Members = Readonly<Record<string, unknown>>;

/** Some nodes write a member that is not in the specification as a number of JSON. */
const isNumber = (value: unknown): boolean => isQuantity(value) || (Number.isSafeInteger(value) && Number(value) >= 0);

const hasNumbers = (value: Members): boolean =>
  NUMBERS.every((name) => value[name] === undefined || value[name] === null || isNumber(value[name]));

/** More than blocks, transactions, receipts and events have on any chain: about thirty. */
const MOST_MEMBERS = 200;

/** viem copies objects member by member, several times, which takes 40 ms for as many members as a response may have. */
const hasFewMembers = (value: Members): boolean => {
  let count = 0;
  for (const _ in value) if (++count > MOST_MEMBERS) return false;
  return true;
};

const isEvent = (event: unknown): boolean => {
  if (!isObject(event) || !hasFewMembers(event)) return false;
  const { address, topics, data } = event as Members;
  return (
    isData(address) && isData(data) && Array.isArray(topics) && topics.every(isData) && hasNumbers(event as Members)
  );
};

/** @returns whether a block, a transaction or a receipt can be read; null is one that is not known */
const isReadable = (value: unknown): boolean => {
  if (value === null) return true;
  if (!isObject(value) || !hasFewMembers(value)) return false;
  const { input, logs } = value as Members;
  const hasEvents = logs === undefined || (Array.isArray(logs) && logs.every(isEvent));
  return hasEvents && (input === undefined || isData(input)) && hasNumbers(value as Members);
};

/**
 * viem does not check results: it would copy a string as a block with one member for each character, accepts numbers
 * that are not hexadecimal, and throws errors of the language for others.
 * @returns whether the result of a method is of the kind that it has according to the specification; true for other
 *   methods, whose callers check it
 */
export const isResultOf = (method: string, result: unknown): boolean => {
  if (OBJECT_METHODS.has(method)) return isReadable(result);
  if (DATA_METHODS.has(method)) return isData(result);
  return !QUANTITY_METHODS.has(method) || isQuantity(result);
};
