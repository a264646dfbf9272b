/**
 * Hides the parameters of a long statement from the planner. PostgreSQL keeps a generic plan only when plans for the
 * current values do not seem cheaper; otherwise it plans each time, which takes longer than running the statement. Each
 * `$n` becomes a subselect, whose value the planner does not know.
 * @param types PostgreSQL types of the parameters, in order
 */
export const forceGenericPlan = (text: string, types: readonly string[]): string =>
  text.replaceAll(/\$(\d+)/g, (_, index: string) => {
    const type = types[Number(index) - 1];
    // The outer cast makes `any(...)` read an array instead of rows.
    return `(select $${index}::${type})::${type}`;
  });
