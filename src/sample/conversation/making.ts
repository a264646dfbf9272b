/** Conversations of channels about making and finding out. The format is that of `parseScript`. */
export const MAKING = {
  dev: `
It was DNS. It is always DNS. [Four|Two|Six] hours this time.
  What did you check first, honestly?
    Everything else. Twice.
  We put "is it DNS" on the first line of the runbook. Saves an hour each time.
    Stealing that line tonight.
  Was it the TTL?
    An old resolver that cached a failure for a day.
  Condolences to you and your evening.
Deleted [400|1,200|90] lines today and nothing broke 🧹
  Nothing broke yet. Check again on Monday.
    The tests are green and so is staging. I am choosing to believe.
  Which part went?
    A second date parser. We had two, and they disagreed about February.
  The best commits are red.
  Please tell me you also deleted its tests.
The fix was one character. Finding it took since [Tuesday|Monday|last week].
  A minus?
    A minus. How did you know?
      It is always a minus or an equals sign.
  Did you bisect?
    On day two, when I should have on day one.
  Write the test before you forget what it felt like.
Wrote the test first, for once. It found the bug in [ten|five|twenty] minutes.
  Do not tell my team, they will make it a rule.
  What kind of test, unit or end to end?
    End to end. The units were all fine, it was the seam between two of them.
  And then you went back to writing it afterwards, like all of us.
    I give it until Thursday.
Who still writes their own build scripts instead of [a plugin|a framework|another tool]? Asking for a friend with 300 lines of shell.
  Me. It has not changed in [four|three] years, which is more than I can say of any tool.
  Is the friend in the room with us?
    The friend is tired and would like to go home.
  Make. Just make. It was fine in 1976 and it is fine now.
    Tabs, though.
  @ wrote a good post about exactly this.
Code review tip I learned too late: read the tests first, then the [diff|code|description].
  And run it. Half of my comments used to be answered by running it.
  My version: read it once for what it does, once for what it does not.
    Oh, I like the second pass.
  What do you do when there are no tests?
    Then that is my first comment.
Our queue was slow because a log line serialised [the whole request|every message|the session]. We found it by turning the log off.
  Logging is never free, it just bills somebody else.
  How much faster now?
    From 90 milliseconds to 4. I had already ordered a bigger machine.
      Cancel it and buy cake.
  We had the same with a debug flag nobody remembered.
Migrated [two|three] million rows on a Sunday so that nobody would notice. Nobody noticed. I am a little hurt.
  We noticed that nothing happened. Well done.
    That is all I wanted to hear.
  Online, or with a window?
    Online, in batches of a thousand, with a progress table I grew fond of.
  The highest praise in this job is silence.
Pairing with @ this morning. [Two|Three] keyboards, one bug, no survivors.
  What was the bug?
    A promise that nobody awaited. There is a life lesson in there.
  Who drove?
    We switched every twenty minutes, with a kitchen timer.
  We do this on Fridays now and I look forward to it all week.`,
  science: `
Clear sky tonight, look up after [ten|nine|eleven] ✨ Jupiter is the bright one in the [east|south-east].
  Binoculars enough for the moons?
    Yes. Lean on something and you will see four dots in a line.
      Saw three! The fourth is behind it, I hope.
  Clouds here, of course. Describe it to me tomorrow.
  My daughter found it before I did.
Replicated it. It did not replicate. [Third|Second] time this year.
  Same sample size?
    Larger. The effect got smaller as the sample grew, as they do.
  Publish it. Please. Somebody will try it again otherwise.
    Writing it up this weekend, title and all.
  Did you write to the authors?
    I did, and they were lovely about it and sent their raw data.
Grew [salt|sugar|alum] crystals with my neighbour's kids. One is the size of a thumb and has a name 🔬
  What is it called?
    Gerald.
  How long did it take?
    Nine days, with daily inspections by a committee of three.
  Try blue vitriol when they are older. The colour is unreal.
Correlation came to the party, causation stayed home. Today's example: [storks and babies|ice cream and drowning|umbrellas and traffic].
  I use this one in my first lecture every year.
    Does it work?
      For about a week.
  And yet every headline this morning.
  My favourite is cheese and engineering doctorates.
The error bars are larger than my will to [live|argue|continue]. Back to the bench.
  How many runs do you have?
    Eleven. I need about forty.
  Check the temperature of the room. It was that for me.
    It swings by three degrees when the lift runs. I hate that you are right.
  Large error bars are honest error bars.
Looked at [pond|gutter|moss] water for an hour. There are tardigrades in it and they are having a better day than I am.
  What magnification?
    Forty is enough to find them, a hundred to fall in love.
  They have survived vacuum and they will survive your Monday.
  Pictures or it did not wiggle.
    Tonight, when I find the adapter for the camera.
Peer review came back. Reviewer [two|three] has read it, understood it, and improved it. I did not know that was allowed.
  Frame it.
  Thank them in the acknowledgements. We rarely do and we should.
    Already in: "We thank an anonymous reviewer for section four."
  What did they catch?
    A unit. In the one table that everybody quotes.
Does anybody have a simple way to show kids [how tides work|why the sky is blue|what pressure is]? @ said to ask here.
  Two of them hold a sheet, the third walks around it with a ball. They get it in a minute.
    Trying this on Thursday, thank you.
  A glass of water, a drop of milk, and a torch from the side.
  Ask them first how they think it works. Half of my best lessons came from the wrong answers.`,
  art: `
Today's study 🎨 [an hour|forty minutes|two hours], gouache, no plan.
  The shadow under the cup does so much work.
    I almost painted it out. Glad I went for tea instead.
  What paper is that?
    The cheap block from the stationer. It buckles, but I stop being careful.
  No plan suits you.
Ink everywhere. On the [cat|table|curtain], too.
  A print is a print.
    A limited edition of one, and it walks.
  Milk takes it out of cloth, if you are quick.
    I was not quick.
  What were you printing before the incident?
Commission finished! @ has seen it already, the rest of you have to wait until [Friday|Sunday].
  @> I have, and it was worth the three drafts.
  Not even a corner?
    A corner: it is mostly green.
  How do you know when it is finished?
    When the next line would be for me and not for them.
The pen plotter drew for [nine|six|eleven] hours and then the pen ran dry in the last corner.
  There is a special sound it makes when that happens. I hear it in my sleep.
  Hang it like that. The gap is the best part.
    My wife said the same. Two against one.
  Which pen?
    A gel pen from the supermarket, which is the whole problem.
I keep coming back to [linocut|charcoal|collage]. Every year I pretend that I am done with it.
  It forgives nothing and I love it for that.
  What is on the block at the moment?
    A heron, badly. The legs are always too thick.
      Cut the water instead of the legs.
  Your harbour series was that, no? Those were so good.
Opened the kiln this morning. [Two|Three] bowls lived, one became a sculpture.
  What glaze is the blue one?
    Cobalt over a matte white, thin. I got lucky where it pooled.
  The sculpture is the one I would buy.
    I will bring it on Saturday.
  How hot did you go?
Which museum has the best [benches|light|café]? I go for the pictures and stay for the sitting.
  The small one by the canal. One bench, one Vermeer, nobody else.
    I did not know about this place. Going on Sunday.
  Ours took the benches out. I wrote a letter.
    What did they answer?
      They put one back. I think of it as mine.
Drawing a hundred hands this month. Number [41|27|63] finally looks like it could hold something.
  Thumbs are the secret. Draw the thumb first.
    Tried it on the next five and it is annoying how right you are.
  Whose hands?
    Mine, and everybody on the tram who sits still.
  I did this with feet once. Never again.`,
  photography: `
Shot this before breakfast 📷 [Fog|Mist|Frost] on the canal and nobody about.
  The one light on the left makes it.
    A baker. I waved, he waved.
  Tripod, or did you lean on the rail?
    The rail and a held breath.
  This is why I should get up.
Waited [two hours|an hour|all afternoon] for the light and then a pigeon walked in 🕊️ Kept the pigeon.
  The pigeon is composed better than most of my year.
  It has the face of somebody who has been waiting, too.
    We had an understanding.
  Show us the one without it?
    There is none. It stayed until the sun was gone.
Walked the harbour with @, both of us on one roll of [expired|black and white|slide] film each.
  @> Who finishes first loses, that is the rule.
    I lost by nine frames.
  How expired?
    2009, kept in a drawer. I rated it two stops slower and prayed.
  Looking forward to the scans.
Edit less, walk more. Put it on a [note|postcard|sticky note] above the screen.
  I need the opposite. I have 4,000 pictures from June that nobody has seen.
    One a day. By next June you are done.
  Where do you walk?
    The same loop every evening. It gets better, not worse.
  Framing this, without editing it.
What do you do with pictures of strangers? I have a good one of a man asleep [on the ferry|in a laundrette|on a bench] and I am not sure about it.
  If I would be glad to be shown like that, I keep it.
    That is a good test. I would be, I think.
  I ask afterwards and offer a print. Most people say yes.
    He had got off by the time I decided.
  Asleep is a no for me.
The darkroom smells the same as in [1998|2004|1991]. So does my shirt now.
  Do you still have the red bulb with the chipped edge?
    It outlived two enlargers.
  There is nothing like watching the first print come up.
  Where do you get chemicals these days?
    A shop two towns over. I go with three friends and we share the boot.
One lens for a whole month: [35|50|28] millimetres, nothing else in the bag. Day twelve.
  What do you miss?
    Birds. And being lazy.
  I did a year of this. By spring I saw the frame before I lifted the camera.
    That started yesterday! In a supermarket, of all places.
  Feet are the best zoom.
Blue hour from the [bridge|roof|car park]. Forty minutes in the cold for four frames.
  The third has the tram in just the right place.
    I missed it twice before.
  What white balance?
    Daylight, so that the lamps stay warm.
  My hands are cold from looking at it.`,
} as const;
