import { htmlPage } from '../web-page/html-page.js';
import { walletSection, walletStyle } from '../web-page/wallet-link.js';

/**
 * The page has no data: its script requests the data and inserts it as text, never as markup.
 * @param base path prefix of the service behind a proxy
 * @param url of the page itself
 */
export const approvalPage = (base: string, url: string): string =>
  htmlPage({
    title: 'Approve a key · Castellan',
    base,
    styles: ['/approve/page.css'],
    scripts: ['/approve/page.js'],
    body: `        <div class="card">
          <h1 id="title">Approve a key</h1>
          <noscript><p>This page needs JavaScript, to ask for the state of the request and to reach your wallet.</p></noscript>
          <p id="status" role="status" aria-live="polite">Loading</p>
          <p id="meaning"></p>
          <dl id="facts"></dl>
          <div id="pending" hidden>
            <p><button class="first" id="approve" type="button">Approve with the wallet of your account</button></p>
            <p id="sponsored" hidden>Use the wallet that has custody of your account. It only signs its consent: the app's service sends the transaction and pays for it. Once the network has accepted it, this page says so by itself, and the app can begin.</p>
            <p id="paying">Use the wallet that has custody of your account. It sends one transaction on OP Mainnet and pays its fee. Once the network has accepted it, this page says so by itself, and the app can begin.</p>
            <p id="development" hidden>This is a development service, where no chain is needed. Put the number of an account in the place of FID:<code id="command"></code></p>
            ${walletSection(url)}
          </div>
          <p id="problem" role="alert"></p>
          <p id="poll-problem" role="alert"></p>
          <p><a class="button first" id="back" hidden rel="noreferrer">Back to the app</a></p>
        </div>`,
  });

export const approvalStyle = `${walletStyle}#command { display: block; margin-top: 8px; padding: 12px 14px; border-radius: 8px; background: var(--sunk); color: var(--ink); }
`;

/**
 * EIP-1193 calls to the browser's wallet; the state is polled every three seconds while approval is pending. What a click
 * could not do stays in #problem, the failure of a poll in #poll-problem until one succeeds.
 */
export const approvalScript = `'use strict';
const POLL_MS = 3000;
const at = (id) => document.getElementById(id);
const base = location.pathname.replace(/\\/+$/, '');
const STATUS = {
  pending_approval: 'Waiting for your approval.',
  approved: 'Approved. You can close this page.',
  revoked: 'This request is no longer in force: its deadline passed, or the key was taken back. Ask the app for a new one.',
};
const TITLE = { signer: ' wants to write for you', auth_address: ' wants to sign in for you' };
const MEANING = {
  signer: 'With the key below it can post, like and follow in the name of your account, until you remove the key.',
  auth_address: 'Whoever has the address below can sign in as your account, until you remove it.',
};
let request;

const show = () => {
  const { app, fid, status } = request;
  const name = [app.display_name, app.username && '@' + app.username, 'account ' + app.fid].filter(Boolean).join(', ');
  at('title').textContent = (app.display_name || app.username || 'Account ' + app.fid) + TITLE[request.key_type];
  const facts = [
    ['App', name],
    [request.key_type === 'signer' ? 'Key' : 'Address', request.key],
    ['Until', new Date(request.deadline).toLocaleString()],
    ...(fid === undefined ? [] : [['Your account', String(fid)]]),
  ];
  at('facts').replaceChildren(
    ...facts.flatMap(([term, text]) => {
      const [dt, dd] = [document.createElement('dt'), document.createElement('dd')];
      dt.textContent = term;
      dd.textContent = text;
      return [dt, dd];
    }),
  );
  at('status').textContent = STATUS[status];
  at('meaning').textContent = MEANING[request.key_type];
  at('pending').hidden = status !== 'pending_approval';
  if (status === 'approved') at('problem').textContent = '';
  at('sponsored').hidden = !request.is_sponsored;
  at('paying').hidden = request.is_sponsored;
  at('development').hidden = request.command === undefined;
  at('command').textContent = request.command ?? '';
  at('back').hidden = status !== 'approved' || request.redirect_url === undefined;
  if (request.redirect_url !== undefined) at('back').href = request.redirect_url;
};

const load = async () => {
  const response = await fetch(base + '/request', { cache: 'no-store' });
  if (!response.ok) throw new Error(response.status === 404 ? 'There is no such request.' : 'The service does not answer.');
  request = await response.json();
  show();
};

const follow = async () => {
  try {
    await load();
    at('poll-problem').textContent = '';
  } catch (error) {
    if (request === undefined) at('status').textContent = '';
    at('poll-problem').textContent = error.message;
  }
  if (request === undefined || request.status === 'pending_approval') setTimeout(follow, POLL_MS);
};

const call = async (path, body) => {
  const options = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(base + path, { cache: 'no-store', ...options });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.message);
  return answer;
};

/** The wallet signs that the service may add the key, and the service pays. */
const consent = async (wallet, owner) => {
  const { deadline, typed_data: data } = await call('/consent?owner=' + owner);
  const signature = await wallet.request({ method: 'eth_signTypedData_v4', params: [owner, JSON.stringify(data)] });
  at('status').textContent = 'Sending the transaction.';
  const { transaction_hash: hash } = await call('/consent', { owner, deadline, signature });
  return hash;
};

const approve = async () => {
  const wallet = window.ethereum;
  if (!wallet) throw new Error('This browser has no wallet: open the page in a browser with one.');
  const { chain_id: chain, to, data } = request.transaction;
  const [from] = await wallet.request({ method: 'eth_requestAccounts' });
  await wallet.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x' + chain.toString(16) }] });
  const hash = request.is_sponsored
    ? await consent(wallet, from)
    : await wallet.request({ method: 'eth_sendTransaction', params: [{ from, to, data }] });
  at('status').textContent = 'Sent as ' + hash + '. This page shows when the network has accepted it.';
};

at('approve').addEventListener('click', async () => {
  at('approve').disabled = true;
  at('problem').textContent = '';
  try {
    await approve();
  } catch (error) {
    at('problem').textContent = error.message;
    at('approve').disabled = false;
  }
});
follow();
`;
