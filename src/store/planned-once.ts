/**
 * Hides the parameters of a long statement from the planner. PostgreSQL keeps the plan for any parameters only when
 * plans for the values at hand do not look cheaper, and otherwise plans anew each time, which takes a long statement
 * longer than to run. Each `$n` becomes a subselect, of which the planner knows nothing.
 * @param types PostgreSQL's names of the parameters' types, in order
 */
export const plannedOnce = (text: string, types: readonly string[]): string =>
  text.replaceAll(/\$(\d+)/g, (_, index: string) => {
    const type = types[Number(index) - 1];
    // The outer cast keeps `any(...)` from reading rows where an array is meant.
    return `(select $${index}::${type})::${type}`;
  });
