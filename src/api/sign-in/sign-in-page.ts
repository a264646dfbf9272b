import { htmlPage } from '../web-page/html-page.js';
import { walletSection, walletStyle } from '../web-page/wallet-link.js';

/**
 * The page has no data of the request: its script asks for the data, and inserts it as text, never as markup.
 * @param base path prefix of the service behind a proxy
 * @param url of the page itself
 */
export const signInPage = (base: string, url: string): string =>
  htmlPage({
    title: 'Sign in with Farcaster · Castellan',
    base,
    styles: ['/siwf/page.css'],
    scripts: ['/siwf/page.js'],
    body: `        <div class="card">
          <h1 id="title">Sign in with Farcaster</h1>
          <noscript><p>This page needs JavaScript, to ask for the state of the sign-in and to reach your wallet.</p></noscript>
          <p id="status" role="status" aria-live="polite">Loading</p>
          <p id="warning" role="alert"></p>
          <dl id="facts"></dl>
          <div id="pending" hidden>
            <p id="meaning"></p>
            <p><button class="first" id="sign" type="button">Sign in with the wallet of your account</button></p>
            <p>The wallet signs a text. No transaction is sent, and it costs nothing.</p>
            <section id="accounts" hidden>
              <h2>Which account?</h2>
              <p>Your wallet belongs to several accounts.</p>
              <ul id="choices"></ul>
            </section>
            <section id="sample" hidden>
              <h2>Local network</h2>
              <p>Sign in as an account of the sample network:</p>
              <ul id="people"></ul>
            </section>
            ${walletSection(url)}
          </div>
          <p id="problem" role="alert"></p>
          <p id="poll-problem" role="alert"></p>
          <p><a class="button first" id="back" hidden rel="noreferrer">Back to the app</a></p>
        </div>`,
  });

export const signInStyle = `${walletStyle}#warning { font-weight: 600; }
`;
