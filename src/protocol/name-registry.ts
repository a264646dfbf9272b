import { type NameClaim, recoverNameClaim } from './eip712.js';

/** Address of the public name registry's key, which is a constant in hubs (snapchain, name registry verification). */
const REGISTRY_SIGNER = Buffer.from('bc5274efc266311015793d89e9b591fa46294741', 'hex');

/** @returns whether the public name registry signed this proof */
export const isRegistryProof = (proof: NameClaim): boolean => {
  const signer = recoverNameClaim(proof);
  return signer !== undefined && REGISTRY_SIGNER.equals(signer);
};
