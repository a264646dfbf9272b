/** PostgreSQL's text cannot hold U+0000, protocol texts may: it becomes U+FFFD. The signed bytes are kept as they are. */
export const storable = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text);
