import type { Operation } from '../http/operation.js';
import { lookupDeveloperManagedAuthAddress } from './lookup-developer-managed-auth-address.js';
import { registerSignedKeyForDeveloperManagedAuthAddress } from './register-signed-key-for-developer-managed-auth-address.js';

export const authAddressRoutes: readonly Operation[] = [
  lookupDeveloperManagedAuthAddress,
  registerSignedKeyForDeveloperManagedAuthAddress,
];
