import { readFile } from 'node:fs/promises';

/** Responses of a development service with the sample network, by the id of the operation and by status. */
export type ResponseExamples = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** `npm run examples` writes it. */
const FILE = new URL('./response-example.json', import.meta.url);

/** @returns the examples, read anew at each call: the document is made once, and nothing else needs them in memory */
export const readResponseExamples = async (): Promise<ResponseExamples> =>
  JSON.parse(await readFile(FILE, 'utf8')) as ResponseExamples;
