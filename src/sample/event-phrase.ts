import { createRandom } from './random.js';

const lines = (text: string): string[] => text.trim().split(/\s*\n\s*/);

/** What people talk about on the last day of the sample alone, so that it has trending topics; the first one the most. */
const EVENTS = [
  lines(`Watching the Solar Eclipse from the roof 🌒
    Solar Eclipse in two hours, who has glasses to spare?
    Borrowed a telescope for the Solar Eclipse
    The birds went quiet during the Solar Eclipse
    Best photo of the Solar Eclipse wins a coffee #SolarEclipse`),
  lines(`On my way to #LanternFest 🏮
    The concert at #LanternFest is the best music of the year
    #LanternFest lineup is out, and it has a brass band
    Anybody else at Lantern Fest tonight?`),
  lines(`Signed up for the Harbor Marathon, what have I done 🏃
    Harbor Marathon training: ten miles in the rain
    Cheering at mile twenty of the Harbor Marathon`),
  lines(`Submitted our game to #TideJam 🎮
    48 hours, no sleep, one level: #TideJam
    Playing every game of #TideJam this weekend`),
];
/** Of the casts of the last day that begin threads. */
const EVENT_SHARE = 0.4;

/**
 * @param number of the cast, which alone decides: the rest of the sample stays the same
 * @returns a text about an event of the last day; undefined for most casts
 */
export const eventText = (seed: string, number: number): string | undefined => {
  const random = createRandom(seed, 'events', number);
  if (!random.chance(EVENT_SHARE)) return undefined;
  // The first of two is more frequent than the second, and so on.
  const event = Math.min(random.integer(EVENTS.length), random.integer(EVENTS.length));
  return random.pick(EVENTS[event] as string[]);
};
