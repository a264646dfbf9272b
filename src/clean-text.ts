/** Maximum length of names, such as those of tokens, in characters. */
const MAX_CHARACTERS = 64;

/**
 * Makes untrusted text safe to display: removes control characters, bidirectional marks, unpaired surrogates and what
 * was not UTF-8, collapses white space, and truncates.
 * @param most maximum length in characters
 */
export const cleanText = (text: string, most = MAX_CHARACTERS): string =>
  [
    ...text
      .replace(/\s+/gu, ' ')
      .replace(/[\p{C}\uFFFD]/gu, '')
      .trim(),
  ]
    .slice(0, most)
    .join('');
