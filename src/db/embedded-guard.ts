import type { PGlite } from '@electric-sql/pglite';

/** What of the engine's WebAssembly module is watched. */
interface EngineModule {
  _PostgresMainLoopOnce(): unknown;
  _PostgresMainLongJmp(): unknown;
  _PostgresSendReadyForQueryIfNecessary(): unknown;
  _pgl_pq_flush(): unknown;
  stackRestore(pointer: number): unknown;
}

/** Status of the exception by which PostgreSQL's own errors come out of the WebAssembly. */
const LONG_JUMP = 100;

/** The engine ended in the middle of a statement. `code` is PostgreSQL's crash_shutdown: no statement succeeds any more. */
export class EngineStopped extends Error {
  readonly code = '57P02';

  constructor(cause: unknown) {
    super(
      `The embedded database stopped (${(cause as Error | null)?.message ?? cause}). Start the service again; nothing that was acknowledged is lost.`,
      {
        cause,
      },
    );
  }
}

/**
 * Ends a statement with an error when the engine dies in it. PGlite 0.5.16 swallows whatever comes out of the engine and
 * asks it to go on as long as there is input; one that has exited or trapped takes no input any more, so that the
 * process, where it runs, would turn round for ever (electric-sql/pglite#1058). From there on each statement fails with
 * `EngineStopped`.
 */
export const guardEngine = (engine: PGlite): void => {
  const module = engine.Module as unknown as EngineModule;
  const { _PostgresMainLoopOnce, _PostgresMainLongJmp, _PostgresSendReadyForQueryIfNecessary } = module;
  const { _pgl_pq_flush, stackRestore } = module;
  let stopped: EngineStopped | undefined;
  const watched = (call: () => unknown, after: () => unknown) => (): unknown => {
    if (stopped !== undefined) return after();
    try {
      return call();
    } catch (error) {
      if ((error as { status?: unknown } | null)?.status === LONG_JUMP) throw error;
      stopped = new EngineStopped(error);
      throw stopped;
    }
  };
  const fail = (): never => {
    throw stopped;
  };
  module._PostgresMainLoopOnce = watched(_PostgresMainLoopOnce, fail);
  module._PostgresMainLongJmp = watched(_PostgresMainLongJmp, fail);
  // Called in PGlite's loop where nothing is caught, right after it swallowed the error.
  module.stackRestore = (pointer) => {
    if (stopped !== undefined) throw stopped;
    return stackRestore(pointer);
  };
  // Called when the loop ends, however it does; another error of theirs would hide the first.
  module._PostgresSendReadyForQueryIfNecessary = watched(_PostgresSendReadyForQueryIfNecessary, () => undefined);
  module._pgl_pq_flush = watched(_pgl_pq_flush, () => undefined);
};
