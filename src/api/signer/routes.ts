import type { Operation } from '../http/operation.js';
import { createSigner } from './create-signer.js';
import { fetchAuthorizationUrl } from './fetch-authorization-url.js';
import { fetchSigners } from './fetch-signers.js';
import { lookupDeveloperManagedSigner } from './lookup-developer-managed-signer.js';
import { lookupSigner } from './lookup-signer.js';
import { registerSignedKey } from './register-signed-key.js';
import { registerSignedKeyForDeveloperManagedSigner } from './register-signed-key-for-developer-managed-signer.js';

export const signerRoutes: readonly Operation[] = [
  createSigner,
  lookupSigner,
  registerSignedKey,
  fetchSigners,
  lookupDeveloperManagedSigner,
  registerSignedKeyForDeveloperManagedSigner,
  fetchAuthorizationUrl,
];
