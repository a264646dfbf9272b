import { domainSeparator } from 'viem';
import type { Problem } from '../../error.js';
import type { DomainName } from './asset.js';
import type { ContractDomain } from './asset-state.js';
import { faultOf, type Offer } from './requirement.js';
import { eip712DomainOf } from './typed-data.js';

/**
 * Decides under which name and version of the token's EIP-712 domain an offer is signed: those that are known, else
 * those that the request states, else those of the contract. A signature under other ones would be worthless, and a
 * facilitator that was given other ones refuses it.
 * @param contractDomain what the contract says of its domain; undefined if its network has no endpoint
 * @returns the domain; or why no useful signature is possible
 */
export const chooseDomain = (offer: Offer, contractDomain: ContractDomain | undefined): DomainName | Problem => {
  const { index, asset, stated } = offer;
  const known = asset.domain ?? contractDomain?.name;
  for (const member of ['name', 'version'] as const) {
    const [right, given] = [asset.domain?.[member], stated[member]];
    if (right !== undefined && given !== undefined && given !== right) {
      return faultOf(index, `extra.${member}`, `"${right}", as the token's contract has it`, given);
    }
  }
  const [name, version] = [stated.name ?? known?.name, stated.version ?? known?.version];
  if (name === undefined || version === undefined) {
    const expected = "an object with name and version of the token's EIP-712 domain, which its contract does not tell";
    return faultOf(index, 'extra', expected, stated);
  }
  const domain = eip712DomainOf({ name, version, network: asset.network, asset: asset.address });
  if (contractDomain?.separator !== undefined && contractDomain.separator !== domainSeparator({ domain })) {
    const expected = "the name and version of the EIP-712 domain of the token's contract (DOMAIN_SEPARATOR)";
    return faultOf(index, 'extra', expected, { name, version });
  }
  if (contractDomain && contractDomain.separator === undefined && !asset.domain) {
    return faultOf(index, 'asset', 'a token that tells its EIP-712 domain', asset.address);
  }
  return { name, version };
};
