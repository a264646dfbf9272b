import { type Browser, chromium } from 'playwright-core';
import { browserPath } from './browser-path.js';

/** Disables the browser's background requests. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts the installed browser without a window. @param args further arguments of its command */
export const launchBrowser = (args: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath: browserPath as string, args: [...QUIET, ...args] });
