/** Conversations of channels about what people do outside. The format is that of `parseScript`. */
export const OUTDOORS = {
  travel: `
Missed the connection, found [a bakery|a tiny museum|a brass band] instead 🚆
  Where was this?
    A town whose name I cannot spell, between two tunnels.
  The best parts of my trips were all mistakes.
    I am beginning to plan for them.
  When does the next one go?
    In three hours. I hope it is late.
Night train, window seat, [snow|rain|a full moon] the whole way. I did not sleep and I do not mind.
  Sleeper or seats?
    Seats. A man opposite peeled an orange in one piece and gave me half.
  Which line is this?
    The one over the pass. Sit on the left going south.
      Booked, for March. Left side.
  I miss night trains more than I miss most people.
Packing for [two|three] weeks with one small bag. What do you always take that nobody else does?
  A clothes line. Ten grams, changes everything.
  A deck of cards. I have friends in four countries because of it.
    Taking that. Do you speak all the languages?
      None of them. Cards are enough.
  Earplugs, and one good book that I can leave behind.
@ was right about the ferry. [Nine|Seven|Six] hours, no signal, one vending machine, perfect.
  What did you do all day?
    Looked at the water, then at my feet, then at the water.
  Was the coffee as bad as they say?
    Worse. I had four.
  @> Told you. Stand at the back when it leaves.
A paper map, a pencil, and no phone: day [two|four|three]. I have asked eleven people for the way and eaten with two of them.
  Do people still know the way?
    Everybody does, and everybody knows a different one.
  This makes me want to lose mine.
  Where are you heading?
    North, more or less. There is a river I want to see the start of.
Which border crossing has the best [soup|view|stamp]? I collect these facts.
  The one on the mountain pass with the goat. The officer lets you feed it.
    Is this a real place? Please be a real place.
      It is real. The goat is called Minister.
  A ferry port in the far north. Fish soup, free refills.
  The smallest one I know is a rope across a road.
Home after [six|five|eight] weeks. The plants lived, thanks to @. The milk did not.
  @> The fern was touch and go in week three.
  What do you miss first?
    Not knowing what is around the corner. There is a bakery around the corner.
  Where to next?
    The laundry.
Took the last bus by accident and ended at the [lake|quarry|coast]. Slept at the driver's sister's place. People are kind.
  How does one take a bus by accident?
    You trust the number and not the name.
  What did you bring them as a thank-you?
    I fixed their radio. They sent me off with jam.
  I needed this story today.`,
  football: `
GOOOAL ⚽⚽⚽ [Ninety-third|Eighty-ninth|Ninety-fifth] minute! I have no voice left.
  I heard you from across the river.
    That was the whole street.
  Offside, surely.
    Do not even start. I have watched it eleven times.
      Level. Fine. Level.
  My neighbour, who hates football, came over to hug me.
That penalty will haunt me all week. [Over the bar|Straight at the keeper|Off the post and out].
  He looked at his feet. You could see it coming.
  I once missed one in a school final. I still think about it in the shower.
    How long ago?
      Twenty-two years.
  On to the next one. It is only the cup.
    Only the cup, he says.
@ and I are no longer speaking until the [rematch|derby|second leg].
  @> I am right here and I can read this.
    The board regrets that it cannot comment.
  Who bought the tickets, though?
    We sit next to each other. It will be a long ninety minutes.
  Same in my house, with my mother.
Sunday league: muddy knees, happy heart. We lost [five|four|six] one and I scored the one.
  Then you won.
    That is how I am telling it.
  How was the pitch?
    There is a duck living in the far penalty area. We play around it.
  Can I join? I am slow but I shout well.
    We have exactly that position open.
Can somebody explain the [new handball|offside|away goals] rule to me as if I were five? I am fifty and in charge of the line on Saturday.
  If the arm makes you bigger, it is a foul. If it does not, it is an argument.
    That I can remember.
  Raise the flag late and look sure of yourself.
  @ has the course papers, ask for the drawings.
Our keeper is [seventeen|eighteen] and saved two one-on-ones like it was nothing. Remember where you read it first.
  Name?
    Okafor. Write it down.
  Her throw is half of our attack by now.
    Thirty-five metres to a winger's feet. I stood up.
  Please let nobody rich see this.
Extra time on the radio in [a traffic jam|the laundrette|a hospital corridor]. Strangers turned to each other. Best half hour of the season.
  Radio is the better way. Every shot is a goal until it is not.
  Did you win?
    On penalties. A nurse kissed my forehead.
  I listened in the kitchen with the light off, for luck.
    It worked. Keep it off.
Away end, [two hundred|three hundred] of us, rain from the side, nil nil. Would go again tomorrow.
  This is an illness and I have it, too.
  How was the pie?
    The pie was the best player on the pitch.
  I saw you on television! In the yellow coat.
    My mother called about the coat.`,
  garden: `
First [tomato|strawberry|courgette] of the year 🍅 Ate it warm, standing between the beans.
  Which variety?
    Seeds from a neighbour, in an envelope marked "good ones".
      The best variety there is.
  Mine are still green and sulking.
  Salt or no salt?
    No salt. Next one with.
Slugs: [forty|twenty-six|sixty]. Lettuces: none. I am not angry, I am only counting.
  Go out at ten with a torch and a bucket. It is grim but it works.
    Went out. Met my neighbour doing the same. We nodded.
  Get a duck.
    There is a committee meeting about the duck.
  Copper tape did nothing for me except look expensive.
Swapped seeds with @ over the fence. I gave [beans|marigolds|kale], I got a promise and a recipe.
  @> The promise is sunflowers, wait until August.
  I would like to swap as well. I have far too much dill.
    Nobody has too much dill. Coming over.
  What is the recipe?
    Nettle soup. It is mostly courage.
It rained on the beds at last, [all night|for an hour|like a tap]. You can hear them drink.
  How long since the last?
    Twenty-three days. The water butt was down to the frogs.
  Nothing here, it went around us again.
    Leave a chair cushion out. It never fails.
  The smell, though!
Is it too late to plant garlic this [week|month|year]? Asking with the cloves already in my hand.
  Put them in. The worst they can do is nothing.
    They are in. I feel reckless.
  Pointed end up, two knuckles deep.
  I once planted in January with a pickaxe and still got heads the size of a fist.
The compost is [sixty|fifty-five] degrees in the middle and I check it more often than my bank account 🌱
  What did you put in?
    Grass, coffee grounds, the council's leaves, and a very old jumper.
  Turn it once more before the frost.
    Tomorrow, with witnesses.
  I understand this completely. Mine has a name.
Pruned the apple tree with [my father|my daughter|a borrowed saw]. We stood back, looked, and cut one more branch.
  A bird should be able to fly through it, they say.
    A small bird could. A pigeon would have to think.
  You did the water shoots as well?
    All of them. There is a pile as high as the shed.
  Save the thin ones for peas.
If you need me I will be staring at [seedlings|the beans|an empty bed] ☕ Nothing is happening and it is wonderful.
  Water from below and stop touching them.
    I have touched them only twice.
  Day?
    Six. There is one bent green thing that I would die for.
  Staring is half of gardening. Nobody tells you.`,
  cycling: `
Out before sunrise 🚴 [Forty|Sixty|Thirty] kilometres, two foxes, no cars.
  What lights do you use?
    A dynamo. I forget that it is there, which is the point.
  Foxes are the best traffic.
  Cold?
    Two pairs of gloves and I would wear a third.
Rode with @ and pretended the [climb|headwind|gravel] was nothing. It was not nothing.
  @> You were whistling at the top!
    That was my lungs.
  Which side did you go up?
    The north side, because we cannot read maps.
  I walked that one last year and I would do it again.
Flat tyre, [five|eight|eleven] kilometres from home, spare tube: at home.
  A fiver folded in half will get you back if the tyre is cut.
    The tyre was fine. The tube had a thorn the size of a pen.
  Did anybody stop?
    A postman with a full kit and a joke. I owe him a coffee.
  Grass. Stuff it with grass. I have done it and it is horrible and it works.
The new bike lane ends at a [tree|bus stop|wall]. Not next to it. At it.
  We have one that is four metres long. It has its own sign.
    I would like to see it. As a pilgrimage.
  Write to the council with a picture. They moved ours by a metre.
  The tree was there first, to be fair.
N+1 is the right number of bikes. I have [four|three|five] and know exactly which one is missing.
  Go on, which?
    A folding one, for trains. It barely counts.
  It is S minus one, where S is what makes your partner leave.
    We are at S minus one, precisely.
  Mine live in the hall and the guests climb.
Cleaned the chain with an old toothbrush and it is [silent|like new|a different bike]. Why do I wait every time?
  Because it is raining, and then it is late, and then it is March.
    You have read my diary.
  Wax it. Once. You will never go back.
    How often do you redo it?
      Every three hundred kilometres, while dinner cooks.
Carried [a sofa|a Christmas tree|two sacks of compost] home on the cargo bike. Everybody waved.
  How is it on the hill?
    Slow and majestic.
  We did a whole move with two of those and one very patient friend.
  Pictures, please, especially of the corner by the church.
    Taken by a stranger, I will post it tonight.
Coffee stop of the day: [a petrol station|a farm with an honesty box|a church fair]. Cake: excellent. Legs: gone.
  What kind of cake?
    Plum, with the good crust. I bought the rest of the tin.
  Where is this? I am out on Sunday.
    Behind the second windmill, there is a hand-painted sign.
  The cake weighs nothing if you ride home with it inside you.`,
} as const;
