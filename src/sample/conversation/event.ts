/**
 * Conversations of the last day of the sample alone, so that it has trending topics: the first event is the largest. The
 * channel stands before each.
 */
export const EVENTS = [
  [
    'science',
    `
Watching the Solar Eclipse from the roof 🌒 Half of the street is up here.
  Same on our side. Somebody brought a colander and it works!
    The colander pictures are the best ones.
  Is the roof allowed?
    Today it is.
Solar Eclipse in two hours, who has glasses to spare?
  Two pairs here, by the fountain. I am the one in the red hat.
    Running.
  A pinhole in a cereal box does it as well.
Borrowed a telescope from @ for the Solar Eclipse. With the filter on, before you ask.
  I was about to ask.
  What can you see?
    A bite out of the sun, and three spots next to it.
The birds went quiet during the Solar Eclipse. Then a rooster started the day again.
  Our dog lay down and sighed.
  It got cold so fast. I did not expect that.
    Four degrees, my thermometer says.
Best photo of the Solar Eclipse wins a coffee. Post them below #SolarEclipse
  Mine is mostly cloud, but a very good cloud.
    Second place, so far.
  I forgot to take one. I just looked.
    That is the winner, then.`,
  ],
  [
    'music',
    `
On my way to #LanternFest 🏮 with far too many batteries.
  Bring the small ones for mine, please!
    Got them. By the second bridge?
  Is the river path open?
The concert at #LanternFest is the best music of the year. The whole pier hums.
  Which stage?
    The raft. They play while it drifts.
  I can hear it from my kitchen.
#LanternFest lineup is out, and it has a brass band at midnight.
  Midnight! My feet will never forgive me.
  The same one as last year?
    With two more tubas.
Anybody else at Lantern Fest tonight? I am next to the giant paper fish.
  Which of the giant paper fish?
    The one with glasses.
      I see you!`,
  ],
  [
    'cycling',
    `
Signed up for the Harbor Marathon, what have I done 🏃 The bike was so comfortable.
  Welcome to the other side. Buy socks.
    Which ones?
      The ones that look too expensive.
  Start slower than you think, then slower than that.
Harbor Marathon training: ten miles in the rain, a bike beside me for company.
  The rain is the best training there is for this harbour.
  How are the knees?
    Vocal.
Cheering at mile twenty of the Harbor Marathon, on the bike, with a bell. Tell me your numbers.
  1,204, in green, probably walking by then.
    I will ring until you run.
  My sister is 88! She will pretend not to see you.`,
  ],
  [
    'games',
    `
Submitted our game to #TideJam 🎮 with four minutes to spare.
  What is it about?
    A crab that delivers post. You can only walk sideways.
  Four minutes is ages. We uploaded with nine seconds.
48 hours, no sleep, one level: #TideJam
  But is it a good level?
    There is a bucket in it that I am proud of.
  Sleep now. It will still be there.
Playing every game of #TideJam this weekend. Twelve down.
  Favourite so far?
    The one where you are the tide.
  Please write down what you think, it means the world to the makers.`,
  ],
] as const;
