import { expect } from 'vitest';

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the shape is checked by the service under test
  readonly body: any;
}

/**
 * Reads a list of a hub page by page.
 * @param path with its query, without the parameters of a page
 * @param member of the response that has the entries
 * @returns all entries in their order; only the last page may have fewer than `pageSize`
 */
export const readHubList = async <Entry = Record<string, unknown>>(
  get: (path: string) => Promise<Answer>,
  path: string,
  member: string,
  pageSize: number,
): Promise<Entry[]> => {
  const entries: Entry[] = [];
  let token: string | undefined = '';
  for (let turn = 0; token !== undefined; turn++) {
    expect(turn, 'pages of a list that never ends').toBeLessThan(100);
    const answer: Answer = await get(`${path}&pageSize=${pageSize}&pageToken=${encodeURIComponent(token)}`);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const page = answer.body[member] as Entry[];
    entries.push(...page);
    token = answer.body.nextPageToken;
    if (token !== undefined) expect(page, 'a page before the last').toHaveLength(pageSize);
  }
  return entries;
};

/** @returns tokens that a list must refuse: other bytes, another spelling, too short, and one altered bit in each byte */
export const alteredTokens = (token: string): string[] => {
  const bytes = Buffer.from(token, 'base64');
  const flipped = Array.from(bytes, (_, index) => {
    const altered = Buffer.from(bytes);
    altered.writeUInt8(altered.readUInt8(index) ^ 1, index);
    return altered.toString('base64');
  });
  const shorter = bytes.subarray(1).toString('base64');
  return ['!', 'AAAA', Buffer.alloc(8).toString('base64'), `${token}AAAA`, `${token}=`, shorter, ...flipped];
};
