import { cleanText } from '../../clean-text.js';
import type { PayFrameRow } from '../../store/onchain/pay-frame.js';
import { escapeHtml, htmlPage } from '../web-page/html-page.js';
import { configOf, PAY_PATH, payUrl } from './view-pay-frame.js';

/** Longest texts that clients accept in an embed. */
const MAX_BUTTON = 32;
const MAX_NAME = 32;

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
  const meta = (name: string, isOld: boolean): string[] =>
    frame === undefined ? [] : [`<meta name="${name}" content="${escapeHtml(embedOf(frame, publicUrl, isOld))}">`];
  return htmlPage({
    title: 'Payment · Castellan',
    base,
    head: [...meta('fc:miniapp', false), ...meta('fc:frame', true)].join('\n    '),
    styles: [`${PAY_PATH}/page.css`],
    scripts: [`${PAY_PATH}/sdk.js`, `${PAY_PATH}/page.js`],
    body: `        <div class="card">
          <h1 id="title">Payment</h1>
          <noscript><p>This page needs JavaScript, to show the payment and to reach your wallet.</p></noscript>
          <p id="status" role="status" aria-live="polite">${frame ? 'Loading' : 'Open a payment by its own link.'}</p>
          <ul id="items"></ul>
          <dl id="facts"></dl>
          <p><button class="first" id="pay" type="button" hidden></button></p>
          <p id="problem" role="alert"></p>
          <p id="poll-problem" role="alert"></p>
        </div>`,
  });
};

export const payStyle = `#items { display: block; }
#items li { display: flex; gap: 12px; margin: 12px 0; overflow-wrap: anywhere; }
#items img { width: 56px; height: 56px; object-fit: cover; border-radius: 8px; flex: none; }
#items strong, #items span { display: block; }
#pay { width: 100%; }
`;
