/** Conversations of channels about what people cook, hear, read and watch. The format is that of `parseScript`. */
export const LEISURE = {
  food: `
I burned it. I ate it anyway. The [rice|toast|garlic] and I have made our peace.
  The black bits are flavour. This is official.
  How burned are we talking?
    The smoke alarm has opinions.
  Soak the pan with baking soda overnight, it comes right off.
    You have just saved a pan and a marriage.
Breakfast of champions: [cold noodles|last night's curry|a peach over the sink] 🍳
  Standing up, I hope.
    Leaning. I am not an animal.
  With chilli oil?
    There was chilli oil. Then there was only the jar.
  Honestly the best meal of the day when it is like that.
My grandmother's stew tastes better the next day, this is not up for debate. Today is day [two|three].
  What is in it?
    Beans, a ham bone, bay, and an hour more than you think.
  Day three is the peak. After that it becomes soup, which is also fine.
  Did she write it down?
    She wrote "the usual" and a number of onions.
      Then you have everything you need.
Is [ramen|chili|porridge] a soup? There are four of us and we have stopped talking.
  If you would drink what is left from the bowl, it is a soup.
    You have convinced two of us. We are back to talking.
  It is a meal. Soups are what you have before one.
  @ will have a chart for this.
Sourdough, attempt [six|nine|four]. It rose. I may have shouted.
  What did you change?
    I put it on top of the fridge, where it is warm, and left it alone.
      Leaving it alone is the entire recipe.
  Show us the inside!
    After lunch, when it has cooled. I am being strong.
  Attempt two for me was a doorstop. I still have it.
Where do you eat when you are [alone|in a hurry|sad] in this town? No more than ten.
  The dumpling window behind the station. Take the pork ones and sit on the wall.
    Went. Sat on the wall. Thank you.
  The market hall at two, when they sell off the soup.
  My kitchen. You are invited.
Made [forty|sixty|ninety] dumplings with @ and we ate all but three 🥟
  What happened to the three?
    They fell apart in the water and were eaten without ceremony.
  Which filling?
    Cabbage, mushroom, a lot of ginger.
  Freeze them on a tray first next time, then in a bag. If there are any.
The secret is [salt|acid|butter]. It is always that, and I forget every single time.
  A spoon of vinegar at the end has rescued more of my dinners than any recipe.
  My aunt says the secret is to taste. She says it while pointing the spoon at me.
    Your aunt and I would get along.
  What was it this time?
    Lentils. They went from sad to dinner in one squeeze.
Pickled [radish|onion|cucumber] update: the jar hissed at me. Is that good?
  That is good. Open it over the sink.
    I did not open it over the sink.
      We have all painted that ceiling.
  How warm is your kitchen? Mine are done after three days in summer.
  Good hiss, bad hiss: smell it, you will know.`,
  music: `
On repeat since this morning: the [second|first|last] movement 🎧 I have a bus to catch and I cannot leave.
  Which recording?
    The old one where you can hear somebody turn a page.
  Miss the bus. There is always another bus.
    I missed it.
  The part where the oboe comes in, every time.
Bought a cassette at the flea market for [a coin|fifty cents|one euro]. Somebody's mixtape from [1994|1989]. It is excellent.
  Is there a name on it?
    "For the drive, love, M." I hope they drove.
  Please write down the track list.
    Half of it is taped off the radio, with the presenter talking over the ends.
  This is better than any algorithm.
Our drummer moved to [Lisbon|Leeds|Montréal]. Does anybody here play, or know somebody, or own a very steady dog?
  What do you play?
    Slow things with a lot of tremolo. Brushes rather than sticks.
  I play, badly but on time.
    On time is all we ask. Writing to you.
  @ was looking for a band in spring.
What is the best album to cook to? Tonight it was [Ethiopian jazz|Motown|one long drone] and I cut everything to the beat.
  Anything with an organ. Onions respond to organ.
  Bossa nova, and nothing gets burned.
    I tried it and burned the rice, but in a lovely mood.
  Silence, and the rain on the window. I am fun at parties.
The encore was one song, [nine|eleven|seven] minutes, and nobody held up a phone. I had forgotten what that is like.
  Were you there on Thursday or Friday?
    Friday. The lights went out at the end and nobody clapped for a while.
      I was the one who sneezed. Sorry.
  I have not been to a gig in a year and this hurts.
  Good rooms do that. It is the wooden floor.
Learning the [cello|accordion|trumpet] at forty. The cat has moved to the neighbours.
  I started at fifty-two. The first year is long and then it suddenly is not.
    Where are you now?
      In an orchestra, in the last row, very happy.
  Rubber mute. For the cat.
  What are you practising?
    One scale, and the theme of a children's programme.
Nobody told me that a [choir|brass band|string quartet] in a station would make me cry on the way to work.
  It is the echo. It is unfair.
  What did they sing?
    I do not know, it was in Georgian, and I stood there until the end.
  I was late for the same reason and nobody at work minded when I told them.
Fixed the hum in my [amp|synth|turntable]. It was the fridge.
  It is the fridge or the dimmer, always.
  How did you find it?
    I unplugged the flat, one thing at a time. @ held the torch.
  Now you will miss it when it is quiet.
    I already do, a bit.`,
  books: `
Finished it at three in the morning 📚 and regret nothing. [Chapter thirty|The last page|The letter at the end], though.
  No spoilers, I am on chapter twelve.
    I have said nothing. Read faster.
  I had to sit on the stairs for a while after that.
    Yes. The stairs are the right place.
  So do we trust the narrator or not?
Reading this one slowly so that it does not end. [Ten|Four|Six] pages a night.
  What is it?
    Letters of two people who never met. I found it in a box on the pavement.
  I did that with a trilogy and it took a year. Best year.
  You can always read it again. It is a different book the second time.
Borrowed on the advice of @ and now I owe a favour. [Three|Two] chapters in and I have cancelled my evening.
  It gets stranger. Hold on at the part with the goats.
    The goats! I just got there.
  @> Told you.
  Which one? My pile is low for once.
    The one about the lighthouse and the wrong sister.
Who else is rereading something this [winter|month|autumn]? I went back to the one I loved at fifteen and it holds up.
  Mine did not, but I am glad I checked.
    What happened to it?
      I grew up and the hero did not.
  I reread the same one every December. It has my notes from nine years in it.
  Do you read your old notes or cover them?
The translator's note is [twelve|twenty|thirty] pages long and better than the preface. Read it first.
  I always read it last, like a dessert.
  Translators never get their name on the cover and it drives me up the wall.
    This one has it! On the front, same size.
  What does she say about the title?
    That there is no word for it, and then she finds one.
The library has a shelf for books that were [returned very late|found on trains|never borrowed]. I took the whole top row.
  Which library? I need this shelf.
    The small branch by the swimming pool. Ask for Ines.
  How late is very late?
    One was from 1987. They waived the fine and took a picture.
  This is the best thing I have read today.
Do you finish books that you do not enjoy? I am at page [90|140|60] and bargaining with myself.
  A hundred pages minus your age, then you may stop.
    Then I was free weeks ago. Thank you.
  I finish them and complain, it is half the fun.
  Put it down. Somebody else is waiting for it.
Book club next week: [short stories|a play|poems], for a change. Bring one you would read out loud.
  Does it have to be in English?
    No, and please bring one that is not.
  I will bring the one with the whale and read only the whale.
  Is there cake again?
    There is always cake. It is the actual club.`,
  film: `
Watched it alone in an empty cinema 🎬 [Row seven|The back row|Front and centre], coat on the next seat.
  The best way. What was it?
    A silent one, with a man at the piano who played for just me.
      Now I want to know if he bowed.
  Did you stay for the credits?
    Of course. He was still playing.
  I envy you the coat seat.
@ warned me about the [dog|ending|staircase] and I did not listen.
  @> I did warn you.
  Does the dog live? I need to know before I start.
    The dog lives. Everything else is up for discussion.
  It is the sound in that scene, not the picture. Close your eyes next time.
Two stars for the script, five for the [costumes|weather|soundtrack]. I would see it again with the subtitles off.
  I would watch three hours of those coats.
    The green one! I have been looking for it all day.
  The script was fine until somebody explained the plot.
  What would you have cut?
    The last ten minutes and the eagle.
What did you last watch that [surprised you|made you laugh out loud|you turned off]? Mine was a documentary about knots.
  A courtroom film where nobody raises their voice. Could not look away.
    Adding it to the list. What is it called?
      I only know it in Danish, I will look it up tonight.
  I laughed at a funeral scene and so did the whole room.
  Knots! Go on.
The opening shot is [four|six|nine] minutes long and nothing happens and I was on the edge of my seat.
  How do they do it?
    Sound. You hear the car long before you see it.
  I counted the cuts in the whole film: thirty-one.
  I fell asleep in that shot, and I say it with love.
Projector lamp blew at the climax and [eighty|forty|a hundred] strangers started telling each other how it might end. Best screening of the year.
  Who was closest?
    A boy of ten. He had the whole thing, motive included.
  Did they fix it?
    After half an hour. The real ending was worse than his.
  This is what cinemas are for.
I have now seen [three|four] versions of it and the oldest is still the best. The villain has manners.
  The remake has better rain, I will give it that.
    It does have very good rain.
  Which one should I start with?
    The oldest, on the largest screen you can borrow.
  Villains with manners are the only frightening ones.
Film night at mine, theme: [trains|islands|people in kitchens]. Suggestions, please, nothing over two hours.
  The one where they never leave the dining car.
    Perfect. You are on popcorn.
  Anything with a lighthouse keeper who lies.
  Is ninety minutes and no dialogue too much?
    That is exactly right for a Thursday.`,
} as const;
