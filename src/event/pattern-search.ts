import { fileURLToPath } from 'node:url';
import { Tinypool } from 'tinypool';
import { findPatterns, type PatternTask } from './pattern-thread.js';

/** The thread runs the build, also when the service is run from its sources. */
const THREAD = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/event/pattern-thread.js' : './pattern-thread.js',
  import.meta.url,
);
/** After it, the thread ends: a service at rest keeps no memory for it. */
const IDLE_MS = 60_000;
/**
 * Bytes of patterns times characters of texts in one task, some 100 ms of work for the most expensive ones: another app
 * must not wait long.
 */
const MAX_TASK_STEPS = 2_000_000;

/** @returns whether one of the patterns was found in one of the texts of a search */
export type IsFound = (pattern: string, text: string) => boolean;

/** Searches texts for regular expressions. */
export type PatternSearch = (tasks: readonly PatternTask[]) => Promise<IsFound>;

/** @returns the same work in parts that take a short time each */
const divide = ({ patterns, texts }: PatternTask): PatternTask[] => {
  const perCharacter = patterns.reduce((sum, { length }) => sum + length, 0);
  const parts: string[][] = [];
  let steps = Number.POSITIVE_INFINITY;
  for (const text of texts) {
    steps += perCharacter * text.length;
    if (steps > MAX_TASK_STEPS) {
      parts.push([]);
      steps = perCharacter * text.length;
    }
    parts.at(-1)?.push(text);
  }
  return parts.map((part) => ({ patterns, texts: part }));
};

const searchWith =
  (find: (task: PatternTask) => number[][] | Promise<number[][]>): PatternSearch =>
  async (tasks) => {
    const textsOf = new Map<string, Set<string>>();
    for (const task of tasks.flatMap(divide)) {
      const { patterns, texts } = task;
      if (patterns.length === 0) continue;
      for (const [index, found] of (await find(task)).entries()) {
        for (const which of found) {
          const pattern = patterns[which] as string;
          const known = textsOf.get(pattern) ?? new Set();
          textsOf.set(pattern, known.add(texts[index] as string));
        }
      }
    }
    return (pattern, text) => textsOf.get(pattern)?.has(text) ?? false;
  };

/** Searches in the calling thread, which handles nothing else meanwhile: for commands. */
export const searchHere: PatternSearch = searchWith(findPatterns);

/**
 * Searches in a thread of its own, which starts with the first pattern, so that no pattern holds up requests. Searches
 * of several callers take turns.
 */
export const createPatternSearch = (): { readonly search: PatternSearch; readonly close: () => Promise<void> } => {
  const pool = new Tinypool({
    filename: fileURLToPath(THREAD),
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    // By default, the second is up to 48: Node.js 24 then used 290 MB for what takes 140.
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 },
  });
  return { search: searchWith((task) => pool.run(task, { name: findPatterns.name })), close: () => pool.destroy() };
};
