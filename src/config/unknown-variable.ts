import { closestMatch } from 'leven';
import type { Environment } from './env.js';
import { VARIABLES } from './variable.js';

const PREFIX = 'CASTELLAN_';
/** Read by the tests, which start services. */
const TEST_PREFIX = 'CASTELLAN_TEST_';
/** Edits between a name and the one that was probably meant. */
const MAX_EDITS = 5;

const KNOWN: readonly string[] = Object.keys(VARIABLES);

/**
 * @returns a problem for each variable that begins with `CASTELLAN_` and has no effect, with the nearest name: a mistyped
 * name would otherwise be a setting that everybody believes in
 */
export const unknownVariables = (environment: Environment): { variable: string; problem: string }[] =>
  Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && !name.startsWith(TEST_PREFIX) && !KNOWN.includes(name))
    .map((variable) => {
      const nearest = closestMatch(variable, KNOWN, { maxDistance: MAX_EDITS });
      const advice = nearest === undefined ? 'docs/configuration.md lists all.' : `Did you mean ${nearest}?`;
      return { variable, problem: `is no variable of Castellan. ${advice}` };
    });
