import { readFile } from 'node:fs/promises';

/** Of the build, also for a command that runs from the sources. */
const MODULE = new URL('../../dist/redirect/vendor-host.js', import.meta.url);

const HEADER = `// Sends requests for the vendor's hosts to a Castellan service, with the keys that they carry:
//   node --import ./redirect.mjs program.mjs
// CASTELLAN_URL names another service. It holds for http, https, fetch and undici, in the program that loads it.
`;

/**
 * @param url of the service to which a program is sent
 * @returns the text of a module for `node --import`
 */
export const redirectModule = async (url: string): Promise<string> => {
  const text = (await readFile(MODULE, 'utf8')).replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
  return HEADER + text.replace('"http://127.0.0.1:3000"', JSON.stringify(new URL(url).href));
};
