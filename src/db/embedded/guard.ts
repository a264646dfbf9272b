import type { PGlite } from '@electric-sql/pglite';

/** The members of the engine's WebAssembly module that the guard wraps. */
interface EngineModule {
  _PostgresMainLoopOnce(): unknown;
  _PostgresMainLongJmp(): unknown;
  _PostgresSendReadyForQueryIfNecessary(): unknown;
  _pgl_pq_flush(): unknown;
  stackRestore(pointer: number): unknown;
}

/** Status of the exception with which the WebAssembly module throws PostgreSQL's own errors. */
const LONG_JUMP = 100;

/** The engine ended during a statement. `code` is PostgreSQL's crash_shutdown: all further statements fail. */
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
 * Makes a statement fail when the engine ends during it. PGlite 0.5.16 ignores all errors of the engine and calls it
 * again while there is input; an engine that has exited or trapped reads no input, so the process would loop forever
 * (electric-sql/pglite#1058). All further statements fail with `EngineStopped`.
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
  // PGlite's loop calls this outside of its `try`, right after it ignored the error.
  module.stackRestore = (pointer) => {
    if (stopped !== undefined) throw stopped;
    return stackRestore(pointer);
  };
  // Called whenever the loop ends; another error from these would hide the first.
  module._PostgresSendReadyForQueryIfNecessary = watched(_PostgresSendReadyForQueryIfNecessary, () => undefined);
  module._pgl_pq_flush = watched(_pgl_pq_flush, () => undefined);
};
