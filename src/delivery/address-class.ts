import ipaddr from 'ipaddr.js';

/** What an address is to the outbound client. */
export type AddressClass = 'public' | 'loopback' | 'closed';

/**
 * The only block that IANA has handed out for global use (RFC 4291, "IPv6 Address Space"). What lies outside of it
 * (IPv4-compatible, translated and future forms) reaches nothing public, whatever a table of special ranges knows.
 */
const GLOBAL_V6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** A cloud's host agent behind an address that is public by number (Azure, "What is IP address 168.63.129.16"). */
const HOST_AGENTS: ReadonlySet<string> = new Set(['168.63.129.16']);

/**
 * @param address an IPv4 address in dotted form or an IPv6 address, without brackets
 * @returns `closed` for everything that is neither loopback nor globally reachable by the registries of special
 *   addresses (RFC 6890), among it all forms that hold an IPv4 address inside an IPv6 one; and for what is no address
 */
export const addressClass = (address: string): AddressClass => {
  // A zone (fe80::1%eth0) belongs to link-local addresses alone.
  if (!ipaddr.isValid(address) || address.includes('%')) return 'closed';
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (range === 'loopback') return 'loopback';
  if (range !== 'unicast' || HOST_AGENTS.has(parsed.toString())) return 'closed';
  return parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_V6) ? 'closed' : 'public';
};
