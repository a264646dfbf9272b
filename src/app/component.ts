import type { Log } from '../log.js';

type Work = () => unknown;

/** A part of the service that runs. */
export interface Component {
  readonly name: string;
  /**
   * Resolves when the components after it may start; absent: it has been running since it was built. If it fails, it
   * leaves nothing open itself.
   */
  readonly start?: Work | undefined;
  /** Resolves when everything that it did has ended. */
  readonly stop?: Work | undefined;
}

/** Components in order of need: each needs only those before it. Those of an inner list are stopped at once. */
export type ComponentList = readonly (Component | readonly Component[])[];

/** Starts components in the order of their list, and stops them in reverse order. */
export const createLifecycle = (list: ComponentList, log: Pick<Log, 'error'>) => {
  const steps = list.map((step) => [step].flat());
  const running = new Set(steps.flat().filter(({ start }) => start === undefined));
  const stop = async (): Promise<void> => {
    const failures: unknown[] = [];
    const stopOne = async (component: Component): Promise<void> => {
      if (!running.delete(component)) return;
      try {
        await component.stop?.();
      } catch (error) {
        failures.push(error);
        log.error({ err: error, component: component.name }, 'a part of the service could not be stopped');
      }
    };
    for (const step of steps.toReversed()) await Promise.all(step.toReversed().map(stopOne));
    if (failures.length > 0) throw failures[0];
  };
  return {
    /**
     * Starts one component after the other. If one fails, those that run are stopped in reverse order.
     * @throws the error of the component that failed
     */
    start: async (): Promise<void> => {
      for (const component of steps.flat()) {
        if (component.start === undefined) continue;
        try {
          await component.start();
        } catch (error) {
          // The log has the errors of the stop.
          await stop().catch(() => undefined);
          throw error;
        }
        running.add(component);
      }
    },
    /**
     * Stops what runs, and nothing twice. A component that fails to stop does not keep the others from it.
     * @throws the first error, when all have stopped
     */
    stop,
  };
};
