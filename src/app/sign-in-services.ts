import type { SignInServices } from '../api/http/service.js';
import type { Config } from '../config/config.js';
import type { Networks } from '../onchain/network.js';
import { createQuickAuth } from '../sign-in/quick-auth.js';
import { createSignInRelay } from '../sign-in/relay.js';
import type { Base } from './base.js';

/** What signs accounts in at apps: the relay of Sign In With Farcaster, and Quick Auth. */
export const createSignInServices = (
  { signInDomains, masterKey, publicUrl }: Config,
  { db, clock }: Base,
  networks: Networks,
): SignInServices => ({
  signInDomains,
  signInRelay: createSignInRelay({ db, networks, clock }),
  quickAuth: createQuickAuth({ db, networks, clock, masterKey, publicUrl }),
});
