import encodeQr from 'qr';
import { escapeHtml } from './html-page.js';

/** Of pages that need a wallet. */
export const walletStyle = `.qr { width: 12rem; max-width: 100%; margin-top: 12px; border-radius: 8px; overflow: hidden; background: #fff; }
.qr svg { display: block; width: 100%; height: auto; }
`;

/** @returns a picture of a URL for cameras of phones, as SVG without styles and scripts */
const qrCode = (url: string): string => encodeQr(url, 'svg', { ecc: 'low', border: 2 });

/** A wallet that has a browser of its own, and the link that opens a page there. */
export interface WalletLink {
  readonly wallet: string;
  readonly href: string;
}

/**
 * @param url of a page that needs a wallet
 * @returns links that open the page in the browsers of common wallets, from a phone; none for a page without https, which
 *   these browsers do not open. MetaMask: https://docs.metamask.io/sdk/guides/use-deeplinks; Base app (Coinbase Wallet):
 *   https://docs.cdp.coinbase.com/wallet-sdk; Trust Wallet: https://developer.trustwallet.com/developer/develop-for-trust/deeplinking
 */
export const walletLinks = (url: string): readonly WalletLink[] => {
  if (!url.startsWith('https://')) return [];
  const encoded = encodeURIComponent(url);
  return [
    { wallet: 'MetaMask', href: `https://link.metamask.io/dapp/${url.slice('https://'.length)}` },
    { wallet: 'Base app', href: `https://go.cb-w.com/dapp?cb_url=${encoded}` },
    { wallet: 'Trust Wallet', href: `https://link.trustwallet.com/open_url?coin_id=60&url=${encoded}` },
  ];
};

/** @returns the part of a page that leads from a computer to a phone, and on a phone to a wallet */
export const walletSection = (url: string): string => {
  const links = walletLinks(url).map(
    ({ wallet, href }) => `<li><a rel="noreferrer" href="${escapeHtml(href)}">Open in ${wallet}</a></li>`,
  );
  return `<section id="phone">
        <h2>Is your wallet on a phone?</h2>
        <p>Scan this code with the phone, and open the page in the browser of the wallet.</p>
        <div class="qr" role="img" aria-label="QR code with the address of this page">${qrCode(url)}</div>${
          links.length === 0 ? '' : `\n        <p>On the phone:</p>\n        <ul>${links.join('')}</ul>`
        }
      </section>`;
};
