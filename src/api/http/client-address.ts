import ipaddr from 'ipaddr.js';

/** Bits of an IPv6 address that name a customer's network; the others are free for one machine to choose (RFC 6177). */
const NETWORK_BITS = 64;

/**
 * @param ip address of a client, as the connection or a trusted proxy gives it
 * @returns what its requests are counted under: the address; of IPv6 its network of 64 bits, as one machine has all of
 *   that; of an IPv4 address in IPv6 form the IPv4 address
 */
export const clientAddress = (ip: string): string => {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${address.parts
    .slice(0, NETWORK_BITS / 16)
    .map((part) => part.toString(16))
    .join(':')}::/${NETWORK_BITS}`;
};
