/** Conversations of the remaining channels, and of none (`home`). The format is that of `parseScript`. */
export const HOME = {
  games: `
One more turn, I said, at [midnight|eleven|ten]. It is light outside 🎲
  Did you win at least?
    I have a very nice aqueduct.
  The lie we all tell.
  Set a kitchen timer. Then ignore the kitchen timer.
    That is the system I have.
Rolled a natural twenty to [open an unlocked door|greet the baker|find my own shoes].
  The most open that door has ever been.
    It is open in the next village as well.
  And then a one against the dragon, I assume.
    How do you always know.
  Our table would have talked about that for a month.
Beat it! On easy. Leave me alone 🎮 [Forty|Sixty|Thirty] hours and I saw every sunset in it.
  Easy is for people with jobs. Congratulations.
  How is the ending?
    Quiet. There is a boat. I will say no more.
      The boat! Yes.
  I am stuck at the bridge, for a week now.
    Go under it.
Unpopular opinion: the [tutorial|map|menu music] is the best part.
  I have left that menu running as an alarm clock.
  A good tutorial is a small game about trust.
    That is a much better way to say it.
  Wrong, but I respect it.
Teaching @ chess. After [three|four] games I have lost two and I do not wish to talk about it.
  @> Beginner's luck, I do not even know what the horse is called.
    It hurts more when you say that.
  Let them play white and pretend it is generosity.
  Do you play with a clock?
    With an egg timer. It is mostly tension.
Our campaign ends on [Saturday|Sunday] after [three|four|two] years. How do you say goodbye to a paladin?
  Let everybody tell one thing that their character never said.
    Oh, that will break us. We are doing it.
  Give the dice away. Each to the person on the left.
  We buried the character sheets in a tin in the park.
Which board game works with [seven people|two people and a baby|my parents], one of them competitive? It is me. I am the competitive one.
  Something where everybody plays against the box. You can glare at the box.
    Finally somebody understands me.
  The one with the trains, but hide the score track.
  Charades. Nobody can be good at it for long.
Found the meeple that has been missing since [2021|spring|the move]. It was in the [piano|toaster|flour].
  A hero returns.
    He has been given the good spot on the shelf.
  We have been playing with a button in its place. The button is better now.
  What else was in there?
    Two coins and a tooth. We do not discuss the tooth.`,
  parents: `
She slept through the night!!! 😴 [Seven|Eight|Nine] hours. I kept waking up to check.
  The first one! How old?
    Five months on Friday.
  Do not say it out loud, they can hear it.
    You are the third person to tell me. She was up at two last night.
  I remember mine. I cried into the cereal.
Today's argument was about [which cup is blue|whether soup is wet|who owns the moon].
  Who won?
    The person who is three. She usually does.
  We had this. It turned out to be about the spoon.
    It is always about the spoon.
  I would also like an answer to that, to be honest.
Lost tooth number [two|three|one]! It was in the sandwich, then it was in him. What does the tooth fairy do about that?
  A letter. "I have been informed and will pay on the usual terms."
    Written, in tiny handwriting. He has shown it to the whole class.
  Ours takes a drawing of it.
  What is the going rate where you live?
The school run took [fifty|forty] minutes because there was a snail. I have never been so late and so relaxed.
  Was the snail all right?
    We saw it to the hedge. There was a small ceremony.
  I count snails into my schedule by now.
  The teacher wrote "snail" in the late book here once. An official reason.
How do you get glitter out of a [carpet|keyboard|beard]? Bonus points if you have actually managed it.
  You move house.
    Considering it.
  Tape, then a lint roller, then acceptance.
  It becomes part of the family. We are in year four.
    Year four! There is no hope, then.
Shared a look with @ at the playground. It was raining and neither of us had [a coat|the strength|a plan]. We both know.
  @> Next time I bring the thermos.
    I would like that in writing.
  The slide is faster in the rain, mine tells me.
  Solidarity from the bench on the other side.
He read a whole [page|sign|cereal box] by himself and then said "I will stop now, it is enough for today". Same.
  I want this on a mug.
  How did it go on the next day?
    He read the other side of the box.
  Mine started with bus numbers. She knows every depot.
    Bus numbers are a wonderful way in.
Coffee is a food group. The [baby|toddler|twins] agreed to a nap at last and I am not moving for anything.
  Type quietly.
    With one thumb.
  How long did you get?
    Thirty-four minutes. I stared at a wall. It was lovely.
  Contact nap or cot?`,
  cats: `
🐈 [Five|Six|Four] in the morning. He is sitting on my chest and has a list of demands.
  Is breakfast on the list?
    It is the entire list.
  Mine opens the wardrobe, looks in, and leaves. Every night.
  Do not give in. I gave in once, in 2019.
He has chosen the [keyboard|sink|clean laundry] and there will be no discussion.
  jjjjjjjjjjjjjk
    Thank you, Pepper, we know it is you.
  What do you do now?
    I work on the floor. It is fine down here.
  They can feel deadlines.
Cat sitting for @, sending proof of life every [two|three] hours 🐾
  @> Thank you. Is she eating?
    Everything, including a corner of the newspaper.
  @> Is there a picture of the bad ear?
    Tonight, she is asleep on my only shirt.
  You are doing a noble thing.
Bought a bed for [thirty|forty|fifty] euros. She sleeps in the box it came in.
  The box is the bed. You paid for a very good box.
    It is a good box. Double-walled.
  Put the bed in the box.
    She moved to the bag.
  We have learned to buy for the packaging.
Does yours also stare at one spot [on the wall|above the door|in the hall]? Should I call somebody?
  It is a spider you cannot see. Or the neighbours.
    There was a spider. Now there is no spider.
  Ours did that and it was a leak behind the plaster. Look closely!
  Stare with her for a bit. It is quite calming.
Brought him home from the shelter [today|yesterday]. He is under the sofa, one paw out. The paw is orange.
  Give him a week and something that smells of you.
    An old jumper went under. The jumper is now his.
  What is his name?
    He came as Kevin. I think he is a Kevin.
      Welcome, Kevin.
  Read aloud next to the sofa. It does not matter what.
Vet says he is a little [round|solid|generous]. He says the vet is a little rude.
  Mine was called "well loved" on the invoice.
  Weigh the food, not the cat. That helped us.
    Starting on Monday. He knows something is up.
  There is nothing wrong with being a loaf.
The red dot has been found [asleep|under the rug|on the ceiling]. We are all very tired now.
  Who is "we"?
    Two cats, one child, and me with the torch.
  End on a treat, else they hunt your feet at night.
    I wish I had known that yesterday.
  Champions, all of them.`,
  lighthouse: `
Keepers' call tonight at [eight|nine|seven], bring your lamp 🗼
  Is there an agenda?
    The spare key, the drawing contest, and then somebody sings.
  I cannot be there, could somebody write it down?
    I will put notes in the log as usual.
  Mine flickers. Does a flickering lamp count?
The lamp of number [212|48|137] is lit again. Thank you to whoever carried the oil.
  It was three of us and a very small boat.
    I saw the boat. I did not dare to say so.
  I can see it from here! Second from the left.
  That makes nine this month.
Welcome aboard @ 🎉 keeper number [301|287|264]. The stairs are long and the view is worth it.
  @> Thank you! Which way is the kettle?
    Second floor, behind the foghorn. Mind the foghorn.
  Count the steps on the first day. Everybody gets a different number.
  Welcome! Read the log from the back, the old entries are the best ones.
Voted on the [map|new door|foghorn hours]. Results on Friday. I went with the second drawing.
  So did I. The first one has no harbour.
    It has a whale where the harbour should be, to be fair.
      I would live with a whale.
  How many have voted so far?
    About a third. Remind your neighbours.
  I wish we had three choices instead of two.
Edition two is on the wall in my [kitchen|hall|study]. The one with the storm. My mother asks if it is real.
  What did you tell her?
    That it depends on the weather.
  How large did you print it?
    As large as the door. The frame is the door.
  The storm is the best of the whole series.
Does anybody still have the keepers' log from [the first winter|March|before the move]? I am looking for the entry about the geese.
  I have it on paper, somewhere. Give me until Sunday.
    You are a treasure. There is no hurry.
  The geese entry is famous. I can recite the first half.
    Please do, at the call.
  @ wrote it, I think.
The drawing contest has [eleven|fourteen|nine] entries and all of them have more windows than the real one.
  Mine has curtains as well.
  When is the deadline?
    Sunday at dusk, when the lamp goes on.
  Can children take part?
    They have their own wall this year. It is the better wall.
Counted the stairs again: [199|201|198]. Last week it was one fewer.
  The tide gets the bottom one.
    That is the first sensible explanation in years.
  You are counting the landing. Never count the landing.
  We should have a plaque: "about two hundred".`,
  home: `
It is quiet here today. I like it.
  Shh.
  Everybody is outside. As they should be.
    I was, for an hour. Then I missed you all.
  The [good|best] kind of quiet, with a fridge in it.
gm ☀️ coffee first, everything else second
  gm! Tea here, but I support you.
  How many before the everything else?
    Three. It is that sort of day.
  gm from the other side of the clock, I am off to bed.
gn 🌙 the washing is dry, the door is locked, [the book|the dog|the soup] is waiting
  Good night. That sounds like a good evening.
  Is it still warm where you are?
    Window open, one blanket.
  gn, see you on the other side.
Happy birthday @ 🎂🎉 [Twenty years|Ten years|A lifetime] of friendship and you still owe me a bicycle.
  @> Thank you!! You will get it when you are tall enough.
    There it is. Every year.
  Happy birthday! Is there cake for strangers?
  Have a wonderful day, both of you, and settle the bicycle.
🙏🏽 @ you were right about the [plumber|shortcut|second opinion]. I should have listened in March.
  @> I take apologies in the form of soup.
    Tomorrow at seven, bring bread.
  What happened in March?
    I said "how hard can it be".
  They usually are right. It is very tiresome.
Wrote a letter by hand for the first time in [years|a decade]. My hand hurts and I feel wonderful.
  Who is it for?
    A teacher of mine. I found her address by accident.
      She will keep it for ever, I promise you.
  Which pen? This matters.
  I should do that. I say it every year.
Somebody left [a chair|a box of records|a piano stool] on the pavement with a note: "still good, like you". I took it home.
  This is the nicest thing I have read all week.
  Of course you did. What does it look like next to the others?
    There are no others any more. It won.
  Please keep the note.
    The note is on the fridge.
What is a small thing that [your street|your town|your office] does right? Mine has a bench at the top of every hill.
  A library in a phone box. People put notes in the books.
    What do the notes say?
      Mostly "wait for chapter nine".
  The bus drivers wait when they see you run.
  Tuesday soup. Nobody knows who started it.
Moved in [today|on Saturday]. Boxes: thirty. Cups found so far: one. We are taking turns 📦
  Cups are always in the box marked "cables".
    I opened "cables". There were four cups and no cables.
  Welcome to the neighbourhood! The bakery closes at two.
    I owe you my Sunday.
  The second night is better than the first.
The neighbour practises one [song|scale|waltz] every evening at six. Today it went right all the way through and I clapped through the wall.
  What did the wall say?
    Two knocks. I think it was a bow.
  I hope they knock on the day you finally cook something.
  What a lovely thing to have lived next to.
I said no to something [today|this week] that I would have said yes to a year ago. It is a nice evening.
  Well done. It gets easier and then it gets fun.
    I am not at fun yet. I am at relieved.
  What are you doing with the evening?
    Nothing, and I am doing it very thoroughly.
  Teach me.`,
} as const;
