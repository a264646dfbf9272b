import type { Operation } from '../operation.js';
import { lookupDeveloperManagedAuthAddress } from './lookup-developer-managed-auth-address.js';
import { registerSignedKeyForDeveloperManagedAuthAddress } from './register-signed-key-for-developer-managed-auth-address.js';

export const authAddressRoom: readonly Operation[] = [
  lookupDeveloperManagedAuthAddress,
  registerSignedKeyForDeveloperManagedAuthAddress,
];
