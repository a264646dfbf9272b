import { verificationAddBody } from '../wire/body.js';
import { readMessageHead } from '../wire/message-data.js';
import { isContractClaim } from './verification.js';

/** `verification_add_eth_address_body` of `MessageData` (protocol document, message.proto). */
const VERIFICATION_FIELD = 9;

/**
 * @param dataBytes of a message that verifies an Ethereum address
 * @returns the chain id (EIP-155) on which the address is a contract; undefined for an externally owned account, which
 *   has its address on every chain
 * @throws WireError for bytes that are not `MessageData`
 */
export const verifiedContractChain = (dataBytes: Uint8Array): number | undefined => {
  const bytes = readMessageHead(dataBytes).bodies.get(VERIFICATION_FIELD);
  if (bytes === undefined) return undefined;
  const body = verificationAddBody.read(bytes);
  return isContractClaim(body) ? body.chainId : undefined;
};
