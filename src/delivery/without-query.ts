/** @returns the address of a receiver as operators see it: its query may hold a secret */
export const withoutQuery = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
};
