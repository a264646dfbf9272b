import { deu, eng, fra, ita, nld, pol, por, spa, swe, tur } from 'stopword';

/** Words without a subject of their own, in the languages of the network that are written in Latin letters. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  [eng, spa, por, fra, deu, ita, nld, pol, swe, tur].flat().map((word) => word.toLowerCase()),
);

/** @param word in lower case. @returns whether it says nothing about the subject of a text ("the", "und") */
export const isStopWord = (word: string): boolean => STOP_WORDS.has(word);
