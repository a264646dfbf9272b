/**
 * Hides the parameters of a long statement from the planner. PostgreSQL keeps a generic plan only when plans for the
 * current values do not seem cheaper; otherwise it plans each time, which takes longer than running the statement. Each
 * parameter becomes a subselect, whose value the planner does not know.
 * @param types PostgreSQL types of the parameters by their names
 */
export const forceGenericPlan = (text: string, types: Readonly<Record<string, string>>): string =>
  text.replaceAll(/(?<![:\w\])]):([a-z]\w*)\??/gi, (param, name: string) => {
    // The outer cast makes `any(...)` read an array instead of rows.
    return `(select ${param}::${types[name]})::${types[name]}`;
  });
