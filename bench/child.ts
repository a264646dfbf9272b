import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { defaultCheckout } from './build-import.js';

/** Messages between this process and a child: a numbered request, progress reports, one result. */
interface ChildRequest {
  readonly id: number;
  readonly input: unknown;
}
type Reply = { readonly id: number } & ({ readonly progress: unknown } | { readonly answer: unknown });

/** A part of the benchmark in a separate process, so that parts do not share a heap, an event loop or a core. */
export interface Child<Input, Answer, Progress = never> {
  /** Allows one request at a time. @throws if the child exits without a result */
  ask(input: Input, onProgress?: (progress: Progress) => void): Promise<Answer>;
  stop(): Promise<void>;
}

/**
 * @param file in this folder, which calls `handleParentMessages`
 * @param flags for Node itself, like `--cpu-prof`
 * @param checkout whose build the child imports
 */
export const startChild = <Input, Answer, Progress = never>(
  file: string,
  flags: readonly string[] = [],
  checkout = defaultCheckout(),
): Child<Input, Answer, Progress> => {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const execArgv = ['--import', import.meta.resolve('tsx'), ...flags];
  const child: ChildProcess = fork(path, {
    execArgv,
    serialization: 'advanced',
    env: { ...process.env, BENCH_CHECKOUT: checkout },
  });
  const ended = new Promise<never>((_, fail) => {
    child.once('error', fail);
    child.once('exit', (code, signal) => fail(new Error(`${file} ended with ${signal ?? `code ${code}`}`)));
  });
  ended.catch(() => undefined);
  let next = 0;
  return {
    ask: (input, onProgress) => {
      const id = next++;
      const answer = new Promise<Answer>((done) => {
        const listen = (reply: Reply): void => {
          if (reply.id !== id) return;
          if ('progress' in reply) onProgress?.(reply.progress as Progress);
          else {
            child.off('message', listen);
            done(reply.answer as Answer);
          }
        };
        child.on('message', listen);
        child.send({ id, input } satisfies ChildRequest);
      });
      return Promise.race([answer, ended]);
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise((done) => child.once('exit', done));
      // Once its channel is closed, a child exits by itself and writes its profile.
      child.disconnect();
      await gone;
    },
  };
};

/** Handles the parent's requests in a child of `startChild`; an error ends it with its stack on stderr. */
export const handleParentMessages = <Input, Answer, Progress = never>(
  work: (input: Input, report: (progress: Progress) => void) => Promise<Answer>,
): void => {
  process.on('message', async ({ id, input }: ChildRequest) => {
    const send = (reply: Reply): void => void process.send?.(reply);
    send({ id, answer: await work(input as Input, (progress) => send({ id, progress })) });
  });
};
