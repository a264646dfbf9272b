/**
 * Pays with the wallet of the mini app's host, or with that of the browser (EIP-1193), and reports the transaction until
 * the service has found it on the chain. What a click could not do stays in #problem until the next click, the failure of a
 * look in #poll-problem until one succeeds. `miniApp` is the SDK (scripts/compile.mjs); without it, the browser's wallet is
 * used.
 */
export const payScript = `'use strict';
const POLL_MS = 3000;
const at = (id) => document.getElementById(id);
const make = (name, text) => Object.assign(document.createElement(name), { textContent: text });
const home = location.pathname.replace(/\\/+$/, '');
const storageKey = 'sent ' + home;
let payment;
let sent;
try {
  sent = localStorage.getItem(storageKey) ?? undefined;
} catch {
  // Storage is blocked in some hosts; the page then forgets the transaction when it is closed.
}

const read = async (response) => {
  const body = await response.json();
  if (!response.ok) throw Object.assign(new Error(body.message), { isRefused: response.status === 400 });
  return body;
};

const itemOf = ({ name, description, image }) => {
  const item = document.createElement('li');
  if (image?.startsWith('https://')) {
    item.append(Object.assign(document.createElement('img'), { src: image, alt: '', referrerPolicy: 'no-referrer' }));
  }
  const texts = document.createElement('div');
  texts.append(make('strong', name), make('span', description));
  item.append(texts);
  return item;
};

const worth = (dollars) => {
  if (dollars === undefined) return '';
  if (dollars === '0.00') return ', less than $0.01';
  return ', about $' + dollars.replace(/\\B(?=(\\d{3})+\\.)/g, ',');
};

const show = () => {
  const { amount, symbol, value_usd: value, app, network, recipient, token } = payment;
  const { line_items, action, payers, status } = payment;
  at('title').textContent = app + ' asks for ' + amount + ' ' + symbol;
  at('items').replaceChildren(...line_items.map(itemOf));
  const facts = [
    ['Amount', amount + ' ' + symbol + worth(value)],
    ['To', recipient],
    ['Token', token],
    ['Network', network],
    ...(payers === undefined ? [] : [['Who may pay', 'accounts ' + payers.join(', ')]]),
  ];
  at('facts').replaceChildren(...facts.flatMap(([term, text]) => [make('dt', term), make('dd', text)]));
  const button = at('pay');
  button.textContent = action.text;
  button.style.backgroundColor = action.button_color ?? '';
  button.style.color = action.text_color ?? '';
  button.hidden = status === 'completed' || sent !== undefined;
  if (status === 'completed') {
    at('status').textContent = 'Paid. You can close this page.';
    at('problem').textContent = '';
  } else if (sent === undefined) at('status').textContent = 'Not paid yet.';
};

const remember = (hash) => {
  sent = hash;
  try {
    if (hash === undefined) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, hash);
  } catch {
    // See above.
  }
};

const report = async () => {
  try {
    const body = JSON.stringify({ hash: sent });
    const headers = { 'content-type': 'application/json' };
    const result = await read(await fetch(home + '/transaction', { method: 'POST', headers, body }));
    at('status').textContent = result.detail ?? '';
    payment.status = result.status;
  } catch (error) {
    if (!error.isRefused) throw error;
    remember(undefined);
    at('problem').textContent = error.message;
  }
};

const load = async () => {
  payment = await read(await fetch(home + '/payment', { cache: 'no-store' }));
};

const follow = async () => {
  try {
    if (payment === undefined || sent === undefined) await load();
    if (sent !== undefined && payment.status !== 'completed') await report();
    show();
    at('poll-problem').textContent = '';
  } catch (error) {
    if (payment === undefined) at('status').textContent = '';
    at('poll-problem').textContent = error.message;
  }
  if (payment?.status !== 'completed') setTimeout(follow, POLL_MS);
};

const findWallet = async () => {
  const { miniApp } = globalThis;
  if (miniApp !== undefined && (await miniApp.isInMiniApp())) return miniApp.wallet.getEthereumProvider();
  return globalThis.ethereum;
};

const pay = async () => {
  const wallet = await findWallet();
  if (!wallet) throw new Error('There is no wallet here: open this page in a client with one, or in a browser with one.');
  const { chain_id: chain, transaction } = payment;
  const [from] = await wallet.request({ method: 'eth_requestAccounts' });
  await wallet.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x' + chain.toString(16) }] });
  const hash = await wallet.request({ method: 'eth_sendTransaction', params: [{ from, ...transaction }] });
  remember(hash);
  at('status').textContent = 'Sent as ' + hash;
  await report();
  show();
};

at('pay').addEventListener('click', async () => {
  at('pay').disabled = true;
  at('problem').textContent = '';
  try {
    await pay();
  } catch (error) {
    at('problem').textContent = error.message;
  }
  at('pay').disabled = false;
});
if (/\\/pay\\/[^/]+$/.test(home)) follow();
// Hosts show a splash screen until this is called.
globalThis.miniApp?.actions.ready().catch(() => undefined);
`;
