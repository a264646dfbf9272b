const lines = (text: string): string[] => text.trim().split(/\s*\n\s*/);

/** What people write above a cast that they quote, whatever it says; by language. */
export const QUOTES: Readonly<Record<string, readonly string[]>> = {
  en: lines(`This whole thread, please
    Best thing I have read this week
    I keep coming back to this one
    I was there! 🙋🏾 It is all true
    More of this, please
    For those who missed it this morning 👇
    Reading this to everybody at breakfast
    Saving this for a bad day
    👇 what @ and I talked about yesterday
    @ this made me think of you`),
  es: lines(`Lo mejor que he leído esta semana
    Para quien se lo perdió ayer 👇`),
  pt: lines(`A melhor coisa que li esta semana
    Para quem perdeu isto ontem 👇`),
  fr: lines(`Ce que j'ai lu de mieux cette semaine
    Pour celles et ceux qui l'ont raté 👇`),
  de: lines(`Das Beste, was ich diese Woche gelesen habe
    Für alle, die es gestern verpasst haben 👇`),
  tr: lines(`Bu hafta okuduğum en güzel şey
    Dün kaçıranlar için 👇`),
  uk: lines(`Найкраще, що я читав цього тижня
    Для тих, хто вчора пропустив 👇`),
  ar: lines(`أجمل ما قرأت هذا الأسبوع
    لمن فاته بالأمس 👇`),
  hi: lines(`इस हफ़्ते की सबसे अच्छी बात
    जिनसे कल छूट गया, उनके लिए 👇`),
  zh: lines(`這週看到最好的一則
    昨天錯過的人看這裡 👇`),
  ko: lines(`이번 주에 읽은 것 중 최고예요
    어제 놓친 분들을 위해 👇`),
  ja: lines(`今週読んだ中で一番よかった
    昨日見逃した人へ 👇`),
};

/** Answers that fit whatever account 1 casts, from the accounts of the living network. */
export const ANSWERS = lines(`Saving this one for later, thank you.
  I read this twice. More, please.
  Good to see you around here again!
  This made my morning.
  You always find the right words for it.
  Agreed, from the first word to the last.
  Showing this to my sister, she will love it.
  Now I am curious how it goes on.
  I had the same thought yesterday and did not write it down.
  Count me in.`);

/** Openings that address account 1, whose place is `@`, with answers; the format is that of `parseScript`. */
export const ADDRESSED = `
@ do you have a minute this week? I would like to show you what we made of your idea.
  Can I see it, too?
    Of course, come along.
  I was there when it was a napkin drawing. It is so good now.
Just used what @ made to find people who live nearby. Two of them are on my street!
  Which street? Maybe it is three.
    The one with the leaning lamp post.
  Thank you for the tip, I had not seen that.
@ your welcome note is the reason that I stayed here. I never said thank you, so: thank you.
  Same here, word for word.
  It was the little wave at the end, was it not?
    It was the little wave.
Asked @ a question at breakfast and had an answer before the toast. How do you do it?
  They never sleep. It is well known.
  What was the question?
    Whether one can row in the evening. One can.
Rowing with @ on Saturday if the weather holds. There is one seat left 🛶
  Me! I can bring the thermos.
    The seat is yours.
  If the weather does not hold, I have a garage and cards.
Somebody told me that @ keeps a list of good benches in this town. Is that true, and may I add one?
  It is true, and it has a map.
  Which one would you add?
    The one behind the boat shed, at five in the afternoon.
Lunch with @ today. We spoke for two hours and forgot the soup.
  Which place was it?
    The one by the water, with the wrong clock.
  I want to be at that table next time.
Does @ still do the open evenings? I have a friend who just moved here.
  First Thursday of the month, I think.
    Thank you, we will be there.
  Bring the friend, we had a lovely one last time.`;

export const SPAM = lines(`🚀 FREE tokens for the first 1000 wallets, claim now 👉
  Congratulations, you have been selected! Claim here
  10x in one week, guaranteed. Link in bio 💰
  Airdrop is LIVE! Do not miss out 🔥🔥🔥
  I lost hope until I met this trader, contact now`);
