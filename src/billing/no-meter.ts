import type { Meter } from './meter.js';

/** Counts nothing and refuses nothing: `QUOTA_MODE=off`. */
export const noMeter: Meter = {
  begin: () => undefined,
  end: () => undefined,
  start: () => undefined,
  stop: async () => undefined,
};
