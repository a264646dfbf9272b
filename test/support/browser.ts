import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const EXECUTABLE = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

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

/** Whether this machine has a browser; `.ci/run` installs one. */
export const hasBrowser = EXECUTABLE !== undefined;

/** Starts the installed browser without a window. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: EXECUTABLE as string, args: QUIET });
