import { DAY } from './clock.js';
import type { Step } from './planned-message.js';
import { createRandom } from './random.js';
import type { Person } from './sample-user.js';

/** A mini app of the sample network; `src/sample/mini-app-site.ts` serves its pages. */
export interface SampleMiniApp {
  /** First label of its host name. */
  readonly label: string;
  readonly name: string;
  readonly subtitle: string;
  readonly description: string;
  readonly category: string;
  readonly tags: readonly string[];
  /** CAIP-2 ids that its manifest requires; none: it runs everywhere. */
  readonly chains: readonly string[];
  /** The account that claims its domain, which samples of at least 30 accounts contain. */
  readonly authorFid: number;
  /** Accounts that cast it. */
  readonly sharers: number;
  /** What they write; the address follows as an embed. */
  readonly texts: readonly string[];
}

const BASE = 'eip155:8453';

/** All mini apps, the most shared first. */
export const SAMPLE_MINI_APPS: readonly SampleMiniApp[] = [
  {
    label: 'chess',
    name: 'Tide Chess',
    subtitle: 'One move a day',
    description: 'Chess by correspondence: a move a day, with everybody who follows you watching.',
    category: 'games',
    tags: ['chess', 'board', 'slow'],
    chains: [],
    authorFid: 29,
    sharers: 14,
    texts: ['Your move. ♟️', 'Lost my queen before breakfast.', 'A draw by repetition, twice in a week.'],
  },
  {
    label: 'radio',
    name: 'Night Radio',
    subtitle: 'Songs after dark',
    description: 'A radio of songs that people you follow play at night. Nothing plays before nine.',
    category: 'music',
    tags: ['songs', 'night'],
    chains: [],
    authorFid: 12,
    sharers: 11,
    texts: ['Awake anyway. 📻', 'This one is for the night train.', 'Nobody sleeps, the list is too good.'],
  },
  {
    label: 'poll',
    name: 'Lantern Poll',
    subtitle: 'Ask the harbour',
    description: 'A question, two answers, one day. The result is cast when the lantern goes out.',
    category: 'social',
    tags: ['polls', 'questions'],
    chains: [],
    authorFid: 4,
    sharers: 9,
    texts: ['Tabs or spaces, again. 🏮', 'Vote before midnight, please.', 'The result surprised nobody but me.'],
  },
  {
    label: 'ledger',
    name: 'Harbor Ledger',
    subtitle: 'Who paid for dinner',
    description: 'Splits a bill among friends and settles it in one transfer on Base.',
    category: 'finance',
    tags: ['bills', 'friends'],
    chains: [BASE],
    authorFid: 9,
    sharers: 7,
    texts: ['Dinner is settled. 🍜', 'Who had the second dessert?', 'Four people, one transfer.'],
  },
  {
    label: 'plotter',
    name: 'Plotter',
    subtitle: 'Lines, slowly',
    description: 'Draws what you type with a single line, and mints it on Base or Zora if you like it.',
    category: 'art-creativity',
    tags: ['drawing', 'generative'],
    chains: [BASE, 'eip155:7777777'],
    authorFid: 18,
    sharers: 5,
    texts: ['It drew my bicycle. 🚲', 'One line, no eraser.'],
  },
];

/** @param host where the service listens under names of this machine: `localhost:3000` */
export const miniAppDomain = (label: string, host: string): string => `${label}.${host}`;

/**
 * @param first the number of the first cast among those of the sample
 * @param host as for `miniAppDomain`
 * @returns casts of the last six days in which accounts share mini apps
 */
export const planMiniAppCasts = (
  people: readonly Person[],
  {
    seed,
    now,
    first,
    host,
  }: { readonly seed: string; readonly now: number; readonly first: number; readonly host: string },
): Step[] => {
  const random = createRandom(seed, 'mini apps');
  const writers = people.filter(({ isSpam }) => !isSpam);
  const shares = SAMPLE_MINI_APPS.flatMap((app) =>
    random.sample(writers, app.sharers).map(({ fid }) => ({ app, fid })),
  );
  return shares.map(({ app, fid }, index) => {
    // Every second of the sample has other casts of an account, too; a mini app's text is in no other.
    const at = now - random.between(60, 6 * DAY);
    const embeds = [`http://${miniAppDomain(app.label, host)}/`];
    const text = random.pick(app.texts);
    return {
      fid,
      at,
      make: (by, written) => {
        const made = by.cast({ text, embeds, at });
        written[first + index] = made;
        return made.item;
      },
    };
  });
};
