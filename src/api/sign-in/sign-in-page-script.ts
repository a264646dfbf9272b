/**
 * Calls the wallet of the browser (EIP-1193), and asks every three seconds whether somebody has signed in elsewhere. What a
 * click could not do stays in #problem until the next click, the failure of a look in #poll-problem until one succeeds.
 */
export const signInScript = `'use strict';
const POLL_MS = 3000;
const at = (id) => document.getElementById(id);
const base = location.pathname.replace(/\\/siwf\\/?$/, '');
const token = new URLSearchParams(location.search).get('channelToken') || '';
let request;
let isSigned = false;

const call = async (path, options) => {
  const response = await fetch(base + path, { cache: 'no-store', ...options });
  const body = await response.json().catch(() => ({}));
  if (response.ok) return body;
  const error = new Error(body.message || body.details || 'The service does not answer.');
  error.status = response.status;
  throw error;
};

const json = (body) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: 'Bearer ' + token },
  body: JSON.stringify(body),
});

const item = (text, act) => {
  const [li, button] = [document.createElement('li'), document.createElement('button')];
  button.type = 'button';
  button.textContent = text;
  button.addEventListener('click', () => attempt(button, act));
  li.append(button);
  return li;
};

const nameOf = ({ fid, username }) => (username ? '@' + username : 'account ' + fid);

const show = () => {
  const { domain, uri, asked, redirect_url: back, people } = request;
  at('title').textContent = 'Sign in to ' + domain;
  const facts = [
    ['App', domain],
    ['Page', uri],
    ['Asked by', asked.user_agent + ', ' + asked.ip],
  ];
  at('facts').replaceChildren(
    ...facts.flatMap(([term, text]) => {
      const [dt, dd] = [document.createElement('dt'), document.createElement('dd')];
      dt.textContent = term;
      dd.textContent = text;
      return [dt, dd];
    }),
  );
  at('warning').textContent = asked.foreign_origin
    ? 'A page of ' + asked.foreign_origin + ' asks for this, not one of ' + domain + '. Leave this page unless you know why.'
    : '';
  at('meaning').textContent =
    'Go on only if you are signing in to ' + domain + ' at this moment. The app that asked will act as you there.';
  at('status').textContent = 'Waiting for your signature.';
  at('pending').hidden = false;
  if (people && at('people').childElementCount === 0) {
    at('sample').hidden = false;
    at('people').replaceChildren(
      ...people.map((one) => item(nameOf(one), async () => {
        await call('/siwf/sample', json({ fid: one.fid }));
        finish(nameOf(one));
      })),
    );
  }
  if (back) at('back').href = back;
};

const finish = (name) => {
  isSigned = true;
  at('pending').hidden = true;
  at('problem').textContent = '';
  at('poll-problem').textContent = '';
  at('status').textContent = 'Signed in' + (name ? ' as ' + name : '') + '. Go back to the app; you can close this page.';
  at('back').hidden = !request.redirect_url;
};

const follow = async () => {
  if (isSigned) return;
  try {
    const people = request ? '' : '&people=1';
    request = await call('/siwf/request?channelToken=' + encodeURIComponent(token) + people);
    if (request.state === 'completed') {
      finish();
      return;
    }
    show();
    at('poll-problem').textContent = '';
  } catch (error) {
    if (isSigned) return;
    const hasEnded = error.status === 401;
    if (hasEnded && request) {
      at('pending').hidden = true;
      at('poll-problem').textContent = '';
      at('status').textContent = 'This sign-in has ended: the app has it, or it has expired.';
      return;
    }
    if (!request) at('status').textContent = '';
    at('poll-problem').textContent = error.message;
    if (hasEnded) return;
  }
  setTimeout(follow, POLL_MS);
};

const attempt = async (button, act) => {
  button.disabled = true;
  at('problem').textContent = '';
  try {
    await act();
  } catch (error) {
    at('problem').textContent = error.message;
  }
  button.disabled = false;
};

const sign = async (wallet, address, { message, ...account }) => {
  const bytes = new TextEncoder().encode(message);
  const hex = '0x' + Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const signature = await wallet.request({ method: 'personal_sign', params: [hex, address] });
  await call('/v1/channel/authenticate', json({ message, signature }));
  finish(nameOf(account));
};

at('sign').addEventListener('click', () => attempt(at('sign'), async () => {
  const wallet = window.ethereum;
  if (!wallet) throw new Error('This browser has no wallet: open the page in a browser with one.');
  const [address] = await wallet.request({ method: 'eth_requestAccounts' });
  const query = new URLSearchParams({ channelToken: token, address });
  const { accounts } = await call('/siwf/message?' + query);
  if (accounts.length === 1) return sign(wallet, address, accounts[0]);
  at('accounts').hidden = false;
  at('choices').replaceChildren(...accounts.map((one) => item(nameOf(one), () => sign(wallet, address, one))));
}));
follow();
`;
