/**
 * PostgreSQL's text cannot hold U+0000, protocol texts may: it becomes a space, one byte for one byte, so that byte
 * positions in the text stay right. The signed bytes are kept as they are.
 */
export const storable = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', ' ') : text);
