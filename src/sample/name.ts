import type { Language } from './language.js';
import type { Random } from './random.js';

/** Given and family name in Latin letters, for usernames, and the display name. */
export interface SampleUserName {
  readonly given: string;
  readonly family: string;
  readonly display: string;
}

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Given names, then family names; those of languages in other scripts as `latin/native`. */
const NAMES: Readonly<Record<Language, readonly [given: readonly string[], family: readonly string[]]>> = {
  en: [
    words(`Ada Amara Ben Bisi Chidi Clara Dara Eli Elsa Finn Freya Hugo Ines Iris Jonas Kofi Kwame Leo Lena Maeve Mara
      Milo Nadia Ngozi Nils Noor Nora Oscar Otto Petra Priya Quinn Rosa Ruth Sam Sanna Silas Tara Theo Tomas Uma Vera
      Wanjiru Wren Yusuf Zadie Zola Arlo Bea Cleo`),
    words(`Adeyemi Andersen Appiah Bell Brook Carver Clarke Dahl Dube Eriksen Fields Gray Hale Hansen Ivers Keane Kimani
      Lindqvist Marsh Mensah Nowak Obi Okafor Owusu Park Penn Quist Reed Rossi Shaw Stone Svoboda Tan Vance Wood Young`),
  ],
  es: [
    words('Alma Carlos Diego Elena Inés Javier Julia Lucía Marco Mateo Pilar Rocío Sofía Tomás Valeria'),
    words('Álvarez Cruz Díaz Flores García Herrera Luna Morales Núñez Ortiz Peña Quispe Ramos Ríos Vega'),
  ],
  pt: [
    words('Ana Bruno Caio Duarte Helena Joana João Luísa Madalena Miguel Rita Tiago Vitória'),
    words('Almeida Barros Carvalho Costa Dias Faria Lima Moreira Nunes Pinto Rocha Santos Teixeira'),
  ],
  fr: [
    words('Agathe Camille Élodie Gaspard Hugo Jeanne Léa Lucien Manon Noé Rémi Zoé'),
    words('Bernard Chevalier Dubois Fontaine Garnier Lambert Leroy Marchand Mercier Moreau Renard Roux'),
  ],
  de: [
    words('Anke Björn Carla Dirk Emil Frieda Greta Jürgen Lotte Moritz Selma Till'),
    words('Bauer Becker Engel Fischer Huber Jäger König Krämer Lange Müller Vogel Winter'),
  ],
  tr: [words('Ayşe Can Deniz Elif Emre Kerem Leyla Zeynep'), words('Aydın Çelik Demir Kaya Şahin Yıldız')],
  uk: [
    words('Olena/Олена Taras/Тарас Yulia/Юлія Bohdan/Богдан Iryna/Ірина Danylo/Данило'),
    words('Melnyk/Мельник Kovalenko/Коваленко Bondar/Бондар Shevchuk/Шевчук'),
  ],
  ar: [
    words('Layla/ليلى Omar/عمر Nour/نور Karim/كريم Salma/سلمى'),
    words('Hassan/حسن Mansour/منصور Saleh/صالح Farouk/فاروق'),
  ],
  hi: [
    words('Aarav/आरव Diya/दिया Kabir/कबीर Meera/मीरा Rohan/रोहन Anika/अनिका'),
    words('Sharma/शर्मा Iyer/अय्यर Gupta/गुप्ता Nair/नायर Rao/राव'),
  ],
  zh: [words('Meiling/美玲 Wei/偉 Yaling/雅玲 Zhiming/志明 Xinyi/欣怡'), words('Chen/陳 Lin/林 Wang/王 Huang/黃')],
  ko: [words('Jisoo/지수 Minjun/민준 Hana/하나 Seoyeon/서연 Dohyun/도현'), words('Kim/김 Lee/이 Choi/최 Jung/정')],
  ja: [
    words('Sakura/さくら Haruto/陽翔 Yui/結衣 Ren/蓮 Aoi/葵 Kenji/健二 Mio/澪'),
    words('Tanaka/田中 Suzuki/鈴木 Mori/森 Kobayashi/小林 Ito/伊藤'),
  ],
};

const ADJECTIVES =
  words(`amber bold brisk calm cloudy cosmic dusty early fuzzy gentle hidden hollow icy lazy lucky mellow
  misty noisy odd paper quiet rapid rusty salty silent slow solar sunny tidal velvet wild`);
const NOUNS =
  words(`atlas badger beacon biscuit canyon comet coral crane drift ember falcon fern fox harbor heron island
  kiln lantern maple meadow moth orbit otter pebble pine raven reef river signal sparrow thistle tram willow`);
const EMOJI = words('🌱 🌊 🎧 📚 🚲 🐈 ☕ 🏔️ 🎨 🍜 🌙 ✨ 🪴 🏳️‍🌈 🇵🇹 🇯🇵 👩🏽‍💻 🧶');

/** @returns a common name of the language */
export const sampleUserName = (random: Random, language: Language): SampleUserName => {
  const [givens, families] = NAMES[language];
  const [given = '', nativeGiven] = random.pick(givens).split('/');
  const [family = '', nativeFamily] = random.pick(families).split('/');
  return { given, family, display: displayName(random, language, [given, family], [nativeGiven, nativeFamily]) };
};

const displayName = (
  random: Random,
  language: Language,
  [given = '', family = '']: string[],
  [nativeGiven, nativeFamily]: (string | undefined)[],
): string => {
  if (nativeGiven !== undefined && nativeFamily !== undefined && random.chance(0.7)) {
    const familyFirst = language === 'zh' || language === 'ko' || language === 'ja';
    if (familyFirst) return `${nativeFamily}${language === 'ja' ? ' ' : ''}${nativeGiven}`;
    return `${nativeGiven} ${nativeFamily}`;
  }
  const style = random.next();
  if (style < 0.45) return `${given} ${family}`;
  if (style < 0.6) return given;
  if (style < 0.8) return `${given} ${random.pick(EMOJI)}`;
  if (style < 0.9) return given.toLowerCase();
  return `${given} ${family.slice(0, 1)}.`;
};

/** @returns a username that is not in `taken` (a-z, 0-9 and -, 2 to 16 characters), and adds it */
export const username = (random: Random, { given, family }: SampleUserName, taken: Set<string>): string => {
  const first = handle(given);
  const last = handle(family);
  const year = random.between(1, 99);
  const forms = random.sample(
    [first, `${first}${last.slice(0, 1)}`, `${first}-${last}`, `${last}${first.slice(0, 1)}`],
    4,
  );
  const invented = `${random.pick(ADJECTIVES)}${random.chance(0.4) ? '-' : ''}${random.pick(NOUNS)}`;
  const candidates = random.chance(0.3) ? [invented, ...forms] : [...forms, invented];
  candidates.push(`${first}${year}`);
  for (;;) {
    const name = candidates.shift() ?? `${first.slice(0, 10)}${random.between(100, 99_999)}`;
    if (name.length < 2 || name.length > 16 || taken.has(name)) continue;
    taken.add(name);
    return name;
  }
};

/** @returns the letters without accents, `Núñez` as `nunez` */
const handle = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/ı/g, 'i')
    .replace(/[^a-z]/gi, '')
    .toLowerCase();
