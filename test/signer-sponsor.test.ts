import type { Browser } from 'playwright-core';
import { type LocalAccount, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_ORGANIZATION_ID } from '../src/access/key.js';
import { DEVELOPMENT_WALLET_ID } from '../src/config/wallet-id.js';
import { keyRequestHash } from '../src/onchain/registry/typed-data.js';
import { makeWallet } from '../src/onchain/transaction/wallet.js';
import { type AccountNetwork, newPerson, startAccountNetwork } from './support/account.js';
import { launchBrowser } from './support/browser.js';
import { hasBrowser } from './support/browser-path.js';
import type { TestResponse } from './support/network.js';
import { registerAccount } from './support/registry.js';
import { registerHolder, secondsAhead } from './support/signer.js';

/** The operator pays for keys of apps that ask for it: the account's wallet signs, and another wallet sends. */
let fixture: AccountNetwork;
/** The account of the app, and its wallet. */
let appFid: number;
const app = privateKeyToAccount(generatePrivateKey());
beforeAll(async () => {
  fixture = await startSponsor();
  appFid = (await fixture.registerOnchain({}, app)).body.user.fid;
});
afterAll(() => fixture.stop());

/** @returns the service over a chain, with a funded wallet under the id that development services take for sponsoring */
const startSponsor = async (environment: Record<string, string> = {}): Promise<AccountNetwork> => {
  const started = await startAccountNetwork(environment);
  const wallet = {
    id: DEVELOPMENT_WALLET_ID,
    organizationId: DEFAULT_ORGANIZATION_ID,
    name: 'sponsor',
    now: new Date(),
  };
  const { address } = await makeWallet(started.network.app.core.db, started.network.config.masterKey, wallet);
  await started.chain.test.setBalance({ address, value: parseEther('1') });
  return started;
};

/** A request for a key; sponsored unless said otherwise. */
const pending = async (changes: object = {}) => {
  const { network } = fixture;
  const made = (await network.send('POST', '/v2/social/signer/', undefined)).body;
  const deadline = secondsAhead(3600);
  const hash = keyRequestHash({ requestFid: BigInt(appFid), key: made.public_key, deadline: BigInt(deadline) });
  const body = {
    ...{ signer_uuid: made.signer_uuid, app_fid: appFid, deadline, signature: await app.sign({ hash }) },
    sponsor: { sponsored_by_service: true },
    ...changes,
  };
  const asked = await network.send('POST', '/v2/social/signer/signed_key/', body);
  expect(asked.status).toBe(200);
  const url = asked.body.signer_approval_url.replace(network.config.publicUrl, network.url) as string;
  return { url, uuid: made.signer_uuid as string };
};
const answerOf = async (response: Response): Promise<Pick<TestResponse, 'status' | 'body'>> => ({
  status: response.status,
  body: await response.json(),
});
const read = async (url: string) => answerOf(await fetch(url));
const post = async (url: string, body: object) => {
  const headers = { 'content-type': 'application/json' };
  return answerOf(await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }));
};
/** What a wallet signs of `eth_signTypedData_v4`. */
const signData = (owner: LocalAccount, data: { types: object; message: Record<string, unknown> }) => {
  const { EIP712Domain: _, ...types } = data.types as Record<string, unknown>;
  return owner.signTypedData({ ...data, types } as never);
};
const consentOf = async (url: string, owner: LocalAccount, signer = owner) => {
  const { status, body } = await read(`${url}/consent?owner=${owner.address}`);
  expect([status, body.message]).toEqual([200, undefined]);
  return { owner: owner.address, deadline: body.deadline, signature: await signData(signer, body.typed_data) };
};
/** @returns a person with an account on the chain and here */
const newAccount = async () => {
  const person = newPerson();
  const { body } = await fixture.registerOnchain({}, person);
  return { person, fid: body.user.fid as number };
};
const statusOf = async (uuid: string) => (await fixture.network.get(`/v2/social/signer/?signer_uuid=${uuid}`)).body;

describe('a sponsored key', () => {
  test('is registered by the wallet of the operator, with the consent of the account', async () => {
    const { person, fid } = await newAccount();
    const { url, uuid } = await pending();
    expect((await read(`${url}/request`)).body).toMatchObject({ is_sponsored: true, sponsor: { service: true } });
    const { chain } = fixture;
    const before = await chain.public.getBalance({ address: person.address });
    const answered = await post(`${url}/consent`, await consentOf(url, person));
    expect(answered).toMatchObject({ status: 200, body: { is_mined: true } });
    expect(await statusOf(uuid)).toMatchObject({ status: 'approved', fid });
    expect(await chain.public.getBalance({ address: person.address })).toBe(before);
    expect((await read(`${url}/request`)).body).toMatchObject({ status: 'approved', is_sponsored: false });
    // The page is open a second time.
    expect((await read(`${url}/consent?owner=${person.address}`)).status).toBe(409);
  });

  test('is paid once, also for two consents at the same time', async () => {
    const [one, two] = [await newAccount(), await newAccount()];
    const { url, uuid } = await pending();
    const consents = await Promise.all([consentOf(url, one.person), consentOf(url, two.person)]);
    const answers = await Promise.all(consents.map((consent) => post(`${url}/consent`, consent)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const winner = answers[0]?.status === 200 ? one : two;
    expect(await statusOf(uuid)).toMatchObject({ status: 'approved', fid: winner.fid });
  });

  test('needs the signature of the custody address of an account', async () => {
    const { person } = await newAccount();
    const { url, uuid } = await pending();
    const forged = await post(`${url}/consent`, await consentOf(url, person, newPerson()));
    expect(forged).toMatchObject({ status: 400, body: { property: 'signature' } });
    const nobody = newPerson();
    expect(await read(`${url}/consent?owner=${nobody.address}`)).toMatchObject({
      status: 400,
      body: { property: 'owner' },
    });
    // The consent for one request is none for another.
    const other = await pending();
    const consent = await consentOf(other.url, person);
    expect(await post(`${url}/consent`, consent)).toMatchObject({ status: 400, body: { property: 'signature' } });
    for (const broken of [
      {},
      { ...consent, owner: 'x' },
      { ...consent, deadline: '1' },
      { ...consent, signature: '0x12' },
    ])
      expect((await post(`${url}/consent`, broken)).status).toBe(400);
    expect(await statusOf(uuid)).toMatchObject({ status: 'pending_approval' });
  });

  test('is none if the app did not ask for it', async () => {
    const { person } = await newAccount();
    const { url } = await pending({ sponsor: undefined });
    expect((await read(`${url}/request`)).body.is_sponsored).toBe(false);
    expect((await read(`${url}/consent?owner=${person.address}`)).status).toBe(409);
  });

  test('is refused above the daily limit of the app', async () => {
    const poor = await startSponsor({ CASTELLAN_DAILY_SPEND_ETHER: '0' });
    const outer = fixture;
    fixture = poor;
    try {
      const person = newPerson();
      const custody = Number(await registerAccount(poor.chain, app));
      await registerHolder(poor.network, custody, app.address);
      await registerAccount(poor.chain, person);
      appFid = custody;
      const { url, uuid } = await pending();
      const refused = await post(`${url}/consent`, await consentOf(url, person));
      expect(refused).toMatchObject({ status: 400, body: { code: 'SpendLimitExceeded' } });
      expect(await statusOf(uuid)).toMatchObject({ status: 'pending_approval' });
    } finally {
      fixture = outer;
      await poor.stop();
    }
  });
});

describe.skipIf(!hasBrowser)('the approval page of a sponsored key', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  test('asks the wallet for a signature only, and follows until the network has the key', async () => {
    const { person, fid } = await newAccount();
    const { url, uuid } = await pending();
    const page = await browser.newPage();
    await page.exposeFunction('signForTest', (data: string) => signData(person, JSON.parse(data)));
    await page.addInitScript(`globalThis.ethereum = {
      request: async ({ method, params }) => {
        if (method === 'eth_requestAccounts') return ['${person.address}'];
        if (method === 'eth_signTypedData_v4') return globalThis.signForTest(params[1]);
        if (method === 'eth_sendTransaction') throw new Error('the wallet must not pay');
        return null;
      },
    };`);
    await page.goto(url);
    await page.getByText('It only signs its consent').waitFor();
    await page.getByRole('button', { name: 'Approve with the wallet of your account' }).click();
    await page.getByText('Approved. You can close this page.').waitFor();
    expect(await statusOf(uuid)).toMatchObject({ status: 'approved', fid });
    await page.close();
  }, 60_000);
});
