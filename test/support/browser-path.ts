import { existsSync } from 'node:fs';

/** The installed browser; `.ci/run` installs one. */
export const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

/** Whether this machine has a browser. */
export const hasBrowser = browserPath !== undefined;
