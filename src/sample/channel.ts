/** A channel of the sample network, to be stored separately, because channels are not protocol messages. */
export interface SampleChannel {
  /** 1 to 16 of a-z, 0-9 and - */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Casts of the channel have this as their parent URL. */
  readonly parentUrl: string;
  /** The lead's account, which samples of at least 60 accounts contain. */
  readonly leadFid: number;
  /** protocol seconds, before any cast of the sample */
  readonly createdAt: number;
}

/** 2024-01-15T00:00:00Z in protocol seconds, when the first channel was made. */
const FIRST_CREATED = 95_817_600;
const EIGHT_DAYS = 691_200;

const channel = (id: string, name: string, leadFid: number, description: string, parentUrl?: string) => ({
  id,
  name,
  description,
  leadFid,
  parentUrl: parentUrl ?? `https://castellan.example/~/channel/${id}`,
});

/** All channels, the busiest first; their hosts are reserved names (RFC 2606). */
export const SAMPLE_CHANNELS: readonly SampleChannel[] = [
  channel('dev', 'Dev', 4, 'Code, tools and the bugs in between.'),
  channel('food', 'Food', 9, 'What we cooked, what went wrong, where to eat.'),
  channel('music', 'Music', 12, 'Records, gigs, instruments and the songs stuck in our heads.'),
  channel('photography', 'Photography', 7, 'Pictures and how they were taken.'),
  channel('books', 'Books', 15, 'Reading together, slowly.'),
  channel('travel', 'Travel', 21, 'Trains, maps, and places worth a detour.'),
  channel('art', 'Art', 18, 'Things made by hand or by plotter.'),
  channel('football', 'Football', 26, 'Goals, grief and the offside rule.'),
  channel('garden', 'Garden', 31, 'Seeds, soil and slugs.'),
  channel('science', 'Science', 11, 'Papers, telescopes, kitchen experiments.'),
  channel('cycling', 'Cycling', 38, 'Commutes, climbs and flat tyres.'),
  channel('film', 'Film', 43, 'Watched last night, still thinking about it.'),
  channel('games', 'Games', 29, 'Boards, cards, consoles.'),
  channel('parents', 'Parents', 52, 'Small people, little sleep.'),
  channel('cats', 'Cats 🐈', 35, 'Cats.'),
  channel(
    'lighthouse',
    'Lighthouse holders',
    23,
    'For keepers of the Lighthouse collection.',
    'chain://eip155:8453/erc721:0x51b1a7d6c6e2b9a4c3d0f58e9273a46b8d105e2c',
  ),
].map((made, index) => ({ ...made, createdAt: FIRST_CREATED + index * EIGHT_DAYS }));
