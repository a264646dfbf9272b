/**
 * Replaces U+0000, which PostgreSQL's text cannot hold, by a space of the same size, so that byte positions in the text
 * stay correct. The signed bytes are stored unchanged.
 */
export const storable = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', ' ') : text);
