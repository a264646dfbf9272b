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

/** At most 256 bits (Ethereum JSON-RPC specification, "uint256"). */
const QUANTITY = /^0x[0-9a-f]{1,64}$/i;

/**
 * viem does not check results: it would copy a string as a block with one member for each character, and accepts numbers
 * that are not hexadecimal.
 * @returns whether the result of a method is of the kind that it has according to the specification; true for other
 *   methods, whose callers check it
 */
export const isResultOf = (method: string, result: unknown): boolean => {
  if (OBJECT_METHODS.has(method)) return typeof result === 'object' && !Array.isArray(result);
  return !QUANTITY_METHODS.has(method) || (typeof result === 'string' && QUANTITY.test(result));
};
