import { cleanText } from '../../clean-text.js';
import type { PayFrameRow } from '../../store/onchain/pay-frame.js';
import { configOf, PAY_PATH, payUrl } from './view-pay-frame.js';

/** Longest texts that clients accept in an embed. */
const MAX_BUTTON = 32;
const MAX_NAME = 32;

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

/** @returns what the button says: `Pay 5 USDC`, unless the app chose another text */
export const buttonText = (frame: PayFrameRow): string =>
  cleanText(configOf(frame).action?.text ?? '') || `Pay ${frame.amount} ${frame.symbol}`;

/**
 * The embed with which clients show the link of a page (https://miniapps.farcaster.xyz/docs/specification, "Mini App
 * Embed"). Older clients read the same under the name `fc:frame`, with another version and type.
 */
const embedOf = (frame: PayFrameRow, publicUrl: string, isOld: boolean): string =>
  JSON.stringify({
    version: isOld ? 'next' : '1',
    imageUrl: `${publicUrl}${PAY_PATH}/preview.png`,
    button: {
      title: cleanText(buttonText(frame), MAX_BUTTON),
      action: {
        type: isOld ? 'launch_frame' : 'launch_miniapp',
        url: payUrl(publicUrl, frame.id),
        name: cleanText(frame.appName, MAX_NAME) || 'Payment',
        splashImageUrl: `${publicUrl}${PAY_PATH}/icon.png`,
        splashBackgroundColor: '#1b2a41',
      },
    },
  });

/**
 * The page of a payment, or, without one, the start page of the mini app. Its script requests the data and inserts it as
 * text, never as markup.
 * @param base path prefix of the service behind a proxy; '' at the root
 */
export const payPage = (frame: PayFrameRow | undefined, publicUrl: string, base: string): string => {
  const meta = (name: string, isOld: boolean): string =>
    frame === undefined
      ? ''
      : `<meta name="${name}" content="${escapeHtml(embedOf(frame, publicUrl, isOld))}" />
    `;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    ${meta('fc:miniapp', false)}${meta('fc:frame', true)}<title>Payment</title>
    <link rel="icon" href="${base}${PAY_PATH}/icon.png" />
    <link rel="stylesheet" href="${base}${PAY_PATH}/page.css" />
  </head>
  <body>
    <main>
      <h1 id="title">Payment</h1>
      <noscript>This page needs JavaScript, to show the payment and to reach your wallet.</noscript>
      <p id="status" role="status" aria-live="polite">${frame ? 'Loading' : 'Open a payment by its own link.'}</p>
      <ul id="items"></ul>
      <dl id="facts"></dl>
      <button id="pay" type="button" hidden></button>
      <p id="problem" role="alert"></p>
    </main>
    <script src="${base}${PAY_PATH}/sdk.js"></script>
    <script src="${base}${PAY_PATH}/page.js"></script>
  </body>
</html>
`;
};

export const payStyle = `:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0; padding: 2rem 1rem; }
main { max-width: 32rem; margin: 0 auto; }
h1 { font-size: 1.4rem; overflow-wrap: anywhere; }
ul { list-style: none; padding: 0; }
li { display: flex; gap: 0.75rem; margin: 0.75rem 0; overflow-wrap: anywhere; }
li img { width: 3.5rem; height: 3.5rem; object-fit: cover; border-radius: 0.5rem; flex: none; }
li strong, li span { display: block; }
dt { font-weight: 600; margin-top: 0.75rem; }
dd { margin: 0; overflow-wrap: anywhere; }
button { font: inherit; font-weight: 600; width: 100%; padding: 0.8rem 1rem; border: 0; border-radius: 0.5rem; cursor: pointer; background: #1b2a41; color: #ffffff; }
button:disabled { opacity: 0.5; cursor: default; }
[role="alert"]:empty { display: none; }
`;
