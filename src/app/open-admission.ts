import { Counter, Gauge, type Registry } from 'prom-client';
import { Admission } from '../api/limit/admission.js';
import type { Config } from '../config/config.js';
import type { Log } from '../log.js';

/** Requests that wait for other servers use little of this process, so more of them may be in work. */
const OUTSIDE_FACTOR = 8;

/** @returns the limits of requests in work, with their metrics */
export const openAdmission = (
  { requests }: Pick<Config, 'requests'>,
  { registry, log }: { readonly registry: Registry; readonly log: Log },
) => {
  const { inWork, inWorkPerKey, longPerKey } = requests;
  const refusedSome = (refused: number): void =>
    log.warn({ refused }, 'requests were refused, because more came than can be answered');
  const outside = { inWork: OUTSIDE_FACTOR * inWork, inWorkPerKey: OUTSIDE_FACTOR * inWorkPerKey, longPerKey };
  const admission = {
    work: new Admission(requests, { refusedSome }),
    outside: new Admission({ ...requests, ...outside }, { keepsSlots: true, refusedSome }),
  };
  const all = Object.entries(admission);
  const registers = [registry];
  new Gauge({
    name: 'castellan_requests',
    help: 'Requests by kind (work, or outside: those that wait for other servers) and state (working, slow: working without a slot, waiting)',
    labelNames: ['kind', 'state'],
    registers,
    collect() {
      for (const [kind, { load }] of all) {
        this.set({ kind, state: 'working' }, load.inWork);
        this.set({ kind, state: 'slow' }, load.slow);
        this.set({ kind, state: 'waiting' }, load.waiting);
      }
    },
  });
  new Counter({
    name: 'castellan_requests_refused_total',
    help: 'Requests that were answered with 503, because more came than could be answered',
    labelNames: ['kind'],
    registers,
    collect() {
      this.reset();
      for (const [kind, { load }] of all) this.inc({ kind }, load.refused);
    },
  });
  return {
    ...admission,
    stop: () => {
      for (const [, one] of all) one.stop();
    },
  };
};
