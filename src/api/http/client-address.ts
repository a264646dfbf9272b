import ipaddr from 'ipaddr.js';

/** Prefix length of a customer's IPv6 network, in which a machine may choose any address (RFC 6177). */
const NETWORK_BITS = 64;

/**
 * @param ip address of a client, from the connection or a trusted proxy
 * @returns the address under which its requests are counted: an IPv4 address, also if it was in IPv6 form, or the
 *   64-bit network of an IPv6 address, because one machine has all of its addresses
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
