import { toHex } from '../../src/hex.js';
import { author, SAMPLE_SEED } from '../../src/sample/author.js';
import { derive } from '../../src/sample/random.js';
import { signInText } from '../../test/support/sign-in.js';
import { once, type Recipes } from './recipe.js';
import type { SampleService } from './sample-service.js';

/** Signers, auth addresses and sign-ins. */
export const signerRecipes = ({ send, run }: SampleService): Recipes => {
  /** The app of account 2 asks for a key. @param key signer_uuid, public key or address */
  const requestOf = async (key: string): Promise<object> =>
    JSON.parse(await run('account', 'sign-key', '2', '--key', key));
  const developerKey = toHex(derive('example', 'developer signer'));
  const address = toHex(derive('example', 'auth address').subarray(0, 20));
  const requestedAddress = once(async () =>
    send('register-signed-key-for-developer-managed-auth-address', { body: await requestOf(address) }),
  );

  const { account } = author({ seed: SAMPLE_SEED, fid: 1 }).custody;
  const signed = async (nonce: string) => {
    const message = signInText(account.address, 1, nonce);
    return { message, signature: await account.signMessage({ message }) };
  };
  const verified = once(async () => {
    const { nonce } = (await send('create-quick-auth-nonce')).body;
    return send('verify-siwf', { body: { domain: 'app.example', ...(await signed(nonce)) } });
  });
  const asked = once(() => send('create-sign-in'));
  const authorization = async () => ({ authorization: `Bearer ${(await asked()).body.channelToken}` });
  const authenticated = once(async () => {
    const profile = { authMethod: 'custody', fid: 1, username: 'harbor', displayName: 'Harbor' };
    const body = { ...(await signed((await asked()).body.nonce)), ...profile };
    return send('authenticate-sign-in', { headers: await authorization(), body });
  });

  return {
    'fetch-signers': async () => {
      const { nonce } = (await send('fetch-nonce')).body;
      const query = new URLSearchParams(await run('account', 'sign-in', '@harbor', '--nonce', nonce, '--query'));
      return send('fetch-signers', { query: Object.fromEntries(query) });
    },
    'register-signed-key': async () => {
      const { signer_uuid } = (await send('create-signer')).body;
      return send('register-signed-key', { body: await requestOf(signer_uuid) });
    },
    'register-signed-key-for-developer-managed-signer': async () =>
      send('register-signed-key-for-developer-managed-signer', { body: await requestOf(developerKey) }),
    'register-signed-key-for-developer-managed-auth-address': requestedAddress,
    'lookup-developer-managed-auth-address': async () => {
      await requestedAddress();
      return send('lookup-developer-managed-auth-address', { query: { address } });
    },
    'create-sign-in': asked,
    'authenticate-sign-in': authenticated,
    'fetch-sign-in': async () => {
      await authenticated();
      return send('fetch-sign-in', { headers: await authorization() });
    },
    'verify-siwf': verified,
    'verify-jwt': async () =>
      send('verify-jwt', { query: { token: (await verified()).body.token, domain: 'app.example' } }),
  };
};
