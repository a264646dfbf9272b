import ipaddr from 'ipaddr.js';

/** How the outbound client treats an address. */
export type AddressClass = 'public' | 'loopback' | 'closed';

/**
 * The only block that IANA has allocated for global use (RFC 4291, "IPv6 Address Space"). Addresses outside of it
 * (IPv4-compatible, translated and future forms) are not public.
 */
const GLOBAL_V6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** A cloud's host agent behind a public address (Azure, "What is IP address 168.63.129.16"). */
const HOST_AGENTS: ReadonlySet<string> = new Set(['168.63.129.16']);

/**
 * @param address an IPv4 address in dotted form or an IPv6 address, without brackets
 * @returns `closed` for everything that is neither loopback nor globally reachable according to the registries of
 *   special addresses (RFC 6890), including all forms of an IPv4 address inside an IPv6 one, and for anything else
 */
export const addressClass = (address: string): AddressClass => {
  // Only link-local addresses have a zone (fe80::1%eth0).
  if (!ipaddr.isValid(address) || address.includes('%')) return 'closed';
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (range === 'loopback') return 'loopback';
  if (range !== 'unicast' || HOST_AGENTS.has(parsed.toString())) return 'closed';
  return parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_V6) ? 'closed' : 'public';
};

/** Bits of an IPv6 address that identify a network, which has all addresses that begin with them (RFC 6177). */
const NETWORK_BITS = 64;

/** @returns what one sender can hardly have many of: an IPv4 address, or the network of an IPv6 address */
export const addressBlock = (address: string): string => {
  const parsed = ipaddr.parse(address);
  return parsed instanceof ipaddr.IPv6
    ? ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${NETWORK_BITS}`).toString()
    : parsed.toString();
};
