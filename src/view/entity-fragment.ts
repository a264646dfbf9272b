import type { Fragment } from '../hydrate/fragment.js';

/** Whether a fragment was made from the same entities as stand here now. */
const holds = ({ from, until }: Fragment, parts: readonly unknown[], now: number): boolean => {
  if (now >= until) return false;
  for (let i = 0; i < parts.length; i++) if (from[i] !== parts[i]) return false;
  return true;
};

/** @returns the fragment kept in an entity when it still holds, else what `render` makes of it now. */
export const currentFragment = (
  kept: Fragment | undefined,
  parts: readonly unknown[],
  now: number,
  render: () => Fragment,
): Fragment => (kept !== undefined && holds(kept, parts, now) ? kept : render());

/** @returns JSON as bytes of their own: a small slice of the shared pool would keep 8 KiB alive that nobody counts. */
export const fragmentBytes = (json: string): Buffer => {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(json));
  bytes.write(json);
  return bytes;
};
