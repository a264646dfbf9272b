import type { Author, CastOptions } from './author.js';
import { SAMPLE_CHANNELS } from './channel.js';
import type { Step } from './planned-message.js';
import type { Signed } from './signed-message.js';

/**
 * Protocol seconds of the first example, 2025-05-28T19:06:40Z: a fixed moment, so that the casts have the same hashes
 * in every sample network and the reference can contain them.
 */
const EXAMPLE_TIME = 139_000_000;

export const EXAMPLE_ACCOUNTS = 4;
export const EXAMPLE_CASTS = 5;
export const EXAMPLE_REACTIONS = 4;

/**
 * @param first the number of the first example among the casts of the sample
 * @returns a short conversation of the first four accounts, in order
 */
export const planExamples = (first: number): { readonly casts: Step[]; readonly reactions: Step[] } => {
  const casts: Step[] = [];
  const add = (fid: number, cast: (written: readonly Signed[]) => CastOptions): number => {
    const number = first + casts.length;
    const at = EXAMPLE_TIME + casts.length * 60;
    const make = (by: Author, written: Signed[]) => {
      const made = by.cast({ ...cast(written), at });
      written[number] = made;
      return made.item;
    };
    casts.push({ fid, at, make });
    return number;
  };
  const signed = (written: readonly Signed[], number: number): Signed => written[number] as Signed;

  const parent = SAMPLE_CHANNELS[0]?.parentUrl as string;
  const root = add(1, () => ({
    text: 'Welcome to the sample network. Reply, like and recast as you please: nothing leaves this machine. 🌊',
    parent,
  }));
  add(2, (written) => ({ text: ['Thanks ', 1, '! The lights are on.'], parent: signed(written, root) }));
  add(3, (written) => ({ text: 'Rowing over. 🛶', parent: signed(written, root) }));
  add(4, (written) => ({ text: 'New here? Start with this one.', embeds: [signed(written, root)] }));
  add(1, () => ({ text: 'Nobody will miss this cast. Delete it to see how that works.' }));

  const later = EXAMPLE_TIME + 3600;
  const react = (type: 'like' | 'recast', fid: number): Step => ({
    fid,
    at: later,
    make: (by, written) => by.react(type, signed(written, root), later).item,
  });
  return { casts, reactions: [react('like', 2), react('like', 3), react('like', 4), react('recast', 2)] };
};
