/** Openings longer than the 320 bytes of a short cast, by channel; their format is that of `parseScript`. */
export const ESSAYS = {
  dev: `
I have been meaning to write this down for a while. We spent a year making our service faster with caches, and each one made it faster and each one made it harder to say what it would answer. Last month we took the oldest of them out, to see what would happen, and put an index in its place. It is as fast as before. What nobody tells you about caches is that you cannot see the slow thing behind them any more, and so nobody ever fixes it.
  We had the same, and the slow thing was a sort. In memory. Of everything.
    I feel much less alone now.
  How did you get the time for it?
    We called it an experiment and gave it one week.`,
  books: `
A year of reading only what other people pressed into my hands: forty-one books, nine of them wonderful, two of them so bad that I read passages aloud at dinner. I learned more about my friends than about books. The quiet one gave me three thrillers. My sister gave me a manual for bees. Nobody gave me anything that I would have picked myself, and that turned out to be the whole point of it.
  What was the best of the nine?
    A thin one about a ferryman, from a man I met twice.
  Did you read all of the bee manual?
    Twice. I am on a waiting list for a hive.`,
  travel: `
Notes from eleven days on slow trains, for whoever asked. Buy the ticket at the window, because the person there knows which seat has the heater. Bring something to share, since everybody else does. The timetable is a statement of intent. When the train stops between two stations, get up and look out on the other side: in my case it was a lake, then a wedding, then nothing at all for an hour, with a heron in it.
  The heater seat! I have been doing this wrong for years.
  Did the wedding see you?
    They waved with the veil.`,
  garden: `
What I learned from a bad year: plant half of what you planned, and twice as far apart. Water in the morning, at the root, and then leave. The beds that I forgot did best, and the ones that I measured did worst, and I do not want to hear what that means about me. If you only do one thing next year, put a chair out there first. I carried mine out in September, and it was the best thing that I grew.
  The chair is going out tomorrow.
    Send a picture of the chair.
  Twice as far apart is so hard in April and so obvious in July.`,
  food: `
On soup, at length, because it has been that kind of winter. Start with more onions than seems right and give them half an hour of your life. Do not talk to anybody who says ten minutes. Then whatever the week has left you: the soft carrot, the heel of the cheese, the beans that you cooked for something else. Water, not stock, if the onions were done properly. Salt late, vinegar last. It is never the same twice and nobody has ever complained.
  Half an hour for the onions is the only rule I would put in a constitution.
  Heel of the cheese in from the start, or at the end?
    From the start, and fight over it at the end.`,
} as const;

/** As `ESSAYS`, of more than 1,024 bytes, which only accounts of the pro tier write. */
export const LONG_ESSAYS = {
  photography: `
I photographed the same corner every day for a year, and here is what I have to show for it. It is not a special corner: a bakery, a bus stop, a lamp post that leans. In January I took it for the light, because there was so little of it, and came home with thirty-one pictures of a bus stop in the dark. In February I began to notice who was there. The woman with the two umbrellas, one of them always closed. The boy who counts the steps of the bakery, out loud, and never gets to the end before his father calls. In April the lamp post was straightened and I was angry for a week.
By June people knew me. The baker put a chair out. Somebody asked whether I was from the council, and when I said no, told me everything that the council should know. I took fewer pictures and better ones, or at least I can say of each why it is there. In September the woman with the two umbrellas gave one to a stranger in the rain, and I had the lens cap on. I have thought about that more than about any picture that I got.
So: take the cap off. Go back. Go back when there is nothing to see. In December they leaned the lamp post again, a lorry did, and I have never been so happy about a lorry.
  I want this as a book, with the lens cap picture as a blank page.
    A blank page! I had not thought of that. Yes.
  What did the baker say when the year was over?
    "See you tomorrow", and I went.
  I read it twice and then went out with my camera. Thank you.`,
  science: `
A short defence of measuring things badly, after ten years of trying to measure them well. When I was a student we had a thermometer that was wrong by two degrees, always by two, always in the same direction. Everybody knew. There was a note on it in three handwritings. It was the best instrument in the building, because we knew exactly what was wrong with it. The new one cost as much as a car and was right, until one day it was not, and nobody noticed until the spring.
I think about that note a lot. We write down what we measured, and with luck how, but seldom what we believed about the thing that we measured with. A result is a number and a story about a number, and the story is the part that gets lost first. My notebooks from the first years are full of temperatures that I cannot use any more and remarks that I use every week: "door open", "A. was singing", "the pump again".
So write the remarks. Write them as if somebody will need them, since somebody will, and it is going to be you, at night, eight years on, with a plot that makes no sense until you read that A. was singing, and remember that she only ever sang when the pump was off.
  "The pump again" is the story of my doctorate.
    Was it the pump?
      It was the pump.
  We keep a box for remarks beside each instrument since last year. It fills up faster than the data.
  Did A. ever find out?
    She has a copy of the plot on her wall.`,
} as const;
