import { KEY_GATEWAY_ADDRESS, keyGatewayABI } from '@farcaster/core';
import type { Browser } from 'playwright-core';
import { decodeAbiParameters, decodeFunctionData, type Hex, recoverTypedDataAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KeyRequester } from '../src/sample/verification-claim.js';
import { launchBrowser } from './support/browser.js';
import { hasBrowser } from './support/browser-path.js';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, seedBasics } from './support/seed.js';
import { addKey, secondsAhead, signKeyRequest } from './support/signer.js';

const APP = FIDS.app;
const ANN = FIDS.alice;
const FROM = '0x00000000000000000000000000000000000000aa';
let network: Network;
let custody: KeyRequester['wallet'];

beforeAll(async () => {
  network = await startNetwork();
  custody = (await seedBasics(network.load)).app.custody;
});
afterAll(() => network.stop());

const pending = async (changes: object = {}, seconds = 3600) => {
  const made = (await network.send('POST', '/v2/social/signer/', undefined)).body;
  const key = Buffer.from(made.public_key.slice(2), 'hex');
  const deadline = secondsAhead(seconds);
  const signature = await signKeyRequest(custody, { app_fid: APP, deadline, key });
  const body = { signer_uuid: made.signer_uuid, app_fid: APP, deadline, signature, ...changes };
  const asked = await network.send('POST', '/v2/social/signer/signed_key/', body);
  expect(asked.status).toBe(200);
  // The public address is that of PUBLIC_URL, the port of the test another one.
  const url = asked.body.signer_approval_url.replace(network.config.publicUrl, network.url) as string;
  return { uuid: made.signer_uuid as string, hex: made.public_key as Hex, key, deadline, signature, url };
};

/** What a program reads at the approval address. */
const requestAt = async (url: string) => {
  const response = await fetch(`${url}/request`);
  return (await response.json()) as { command: string; transaction: { data: Hex } };
};

const METADATA = [
  {
    type: 'tuple',
    components: [
      { name: 'requestFid', type: 'uint256' },
      { name: 'requestSigner', type: 'address' },
      { name: 'signature', type: 'bytes' },
      { name: 'deadline', type: 'uint256' },
    ],
  },
] as const;

/** Reads the call as the contracts do, and checks what they check. */
const expectKeyGatewayAdd = async (data: Hex, signer: Awaited<ReturnType<typeof pending>>, keyType = 1) => {
  const { functionName, args } = decodeFunctionData({ abi: keyGatewayABI, data });
  expect([functionName, ...args.slice(0, 3)]).toEqual(['add', keyType, signer.hex, 1]);
  const [metadata] = decodeAbiParameters(METADATA, args[3] as Hex);
  expect(metadata).toEqual({
    requestFid: BigInt(APP),
    requestSigner: custody.account.address,
    signature: signer.signature,
    deadline: BigInt(signer.deadline),
  });
  const by = await recoverTypedDataAddress({
    domain: {
      name: 'Farcaster SignedKeyRequestValidator',
      version: '1',
      chainId: 10,
      verifyingContract: '0x00000000fc700472606ed4fa22623acf62c60553',
    },
    types: {
      SignedKeyRequest: [
        { name: 'requestFid', type: 'uint256' },
        { name: 'key', type: 'bytes' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    primaryType: 'SignedKeyRequest',
    message: { requestFid: metadata.requestFid, key: args[1] as Hex, deadline: metadata.deadline },
    signature: metadata.signature,
  });
  expect(by).toBe(metadata.requestSigner);
};

describe('the approval address', () => {
  it('returns the request and the call to programs, without a key', async () => {
    const signer = await pending({ redirect_url: 'myapp://approved' });
    const get = () => requestAt(signer.url);
    const request = await get();
    expect(request).toEqual({
      status: 'pending_approval',
      key_type: 'signer',
      key: signer.hex,
      deadline: new Date(signer.deadline * 1000).toISOString(),
      app: { fid: APP, username: 'app', display_name: 'Harbor' },
      redirect_url: 'myapp://approved',
      is_sponsored: false,
      transaction: { chain_id: 10, to: KEY_GATEWAY_ADDRESS, data: expect.stringMatching(/^0x/) },
      command: `castellan signer approve ${signer.uuid} --fid FID`,
    });
    await expectKeyGatewayAdd(request.transaction.data, signer);
    await addKey(network, ANN, signer.key, { requestFid: APP });
    const approved = await get();
    expect(approved).toMatchObject({ status: 'approved', fid: ANN });
    expect(approved).not.toHaveProperty('transaction');
    expect(approved).not.toHaveProperty('command');
  });

  it('asks for an auth address with a key of type 2', async () => {
    const address = '0x00000000000000000000000000000000000000fe';
    const key = Buffer.concat([Buffer.alloc(12), Buffer.from(address.slice(2), 'hex')]);
    const deadline = secondsAhead(3600);
    const signature = await signKeyRequest(custody, { app_fid: APP, deadline, key });
    const asked = await network.send('POST', '/v2/social/auth_address/developer_managed/signed_key/', {
      address,
      app_fid: APP,
      deadline,
      signature,
    });
    const url = asked.body.auth_address_approval_url.replace(network.config.publicUrl, network.url);
    const request = await requestAt(url);
    expect(request).toMatchObject({ key_type: 'auth_address', key: address });
    expect(request.command).toBe(`castellan auth-address approve ${address} --fid FID`);
    const hex = `0x${key.toString('hex')}` as Hex;
    await expectKeyGatewayAdd(request.transaction.data, { hex, key, deadline, signature, url, uuid: '' }, 2);
  });

  it('needs its token, is not cached and cannot be framed', async () => {
    const { url } = await pending();
    const page = await fetch(url);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('cache-control')).toBe('no-store');
    for (const wrong of [`${url.slice(0, -1)}~`, `${network.url}/approve/x`, `${network.url}/approve/%00`]) {
      expect((await fetch(wrong)).status).toBe(404);
      expect((await fetch(`${wrong}/request`)).status).toBe(404);
    }
  });
});

describe.runIf(hasBrowser)('the approval page in a real browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  /** Opens the page with a wallet that notes what it is asked, and answers. */
  const open = async (url: string, wallet: 'absent' | 'willing' | 'refusing') => {
    const page = await browser.newPage();
    const asked: string[] = [];
    const faults: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (line) => line.type() === 'error' && faults.push(line.text()));
    if (wallet !== 'absent') {
      await page.addInitScript(
        ({ from, refuses }) => {
          const calls: unknown[] = [];
          const request = async (call: { method: string }) => {
            calls.push(call);
            if (call.method === 'eth_requestAccounts') return [from];
            if (call.method !== 'eth_sendTransaction') return null;
            if (refuses) throw new Error('User rejected the request.');
            return `0x${'ab'.repeat(32)}`;
          };
          Object.assign(globalThis, { ethereum: { request }, calls });
        },
        { from: FROM, refuses: wallet === 'refusing' },
      );
    }
    await page.goto(url);
    return { page, asked, faults };
  };

  it('shows the app, sends the call through the wallet, and reports when the network has it', async () => {
    const signer = await pending();
    const { page, asked, faults } = await open(signer.url, 'willing');
    await page.getByText('Waiting for your approval.').waitFor();
    await page.getByText(`Harbor, @app, account ${APP}`).waitFor();
    await page.getByText(signer.hex).waitFor();
    await page.getByText(`castellan signer approve ${signer.uuid} --fid FID`).waitFor();
    await page.getByRole('button').click();
    await page.getByText(`Sent as 0x${'ab'.repeat(32)}`).waitFor();
    const calls = (await page.evaluate('calls')) as { method: string; params?: { data: Hex }[] }[];
    expect(calls.map(({ method }) => method)).toEqual([
      'eth_requestAccounts',
      'wallet_switchEthereumChain',
      'eth_sendTransaction',
    ]);
    expect(calls[1]?.params).toEqual([{ chainId: '0xa' }]);
    expect(calls[2]?.params).toEqual([{ from: FROM, to: KEY_GATEWAY_ADDRESS, data: expect.any(String) }]);
    await expectKeyGatewayAdd(calls[2]?.params?.[0]?.data as Hex, signer);
    await addKey(network, ANN, signer.key, { requestFid: APP });
    await page.getByText('Approved. You can close this page.').waitFor();
    expect(await page.getByRole('button').isVisible()).toBe(false);
    expect(asked.filter((url) => !url.startsWith(network.url) && !url.startsWith('data:'))).toEqual([]);
    expect(faults).toEqual([]);
    await page.close();
  });

  it('reports a missing wallet, a rejection by the user, and the end of the deadline', async () => {
    const signer = await pending();
    const without = await open(signer.url, 'absent');
    await without.page.getByRole('button').click();
    await without.page.getByText('This browser has no wallet').waitFor();
    await without.page.close();
    const refusing = await open(signer.url, 'refusing');
    await refusing.page.getByRole('button').click();
    await refusing.page.getByText('User rejected the request.').waitFor();
    expect(await refusing.page.getByRole('button').isEnabled()).toBe(true);
    await refusing.page.close();
    const late = await open((await pending({}, 2)).url, 'willing');
    await late.page.getByText('This request is no longer in force').waitFor();
    expect(await late.page.getByRole('button').isVisible()).toBe(false);
    await late.page.close();
  });
});
