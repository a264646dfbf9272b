// What programs of this folder share: they print what each of their calls came to.

/** @returns the first items of a generator */
export const take = async (items, count) => {
  const taken = [];
  for await (const item of items) {
    taken.push(item);
    if (taken.length === count) break;
  }
  return taken;
};

const outcomeOf = async (call) => {
  try {
    return { value: (await call()) ?? null };
  } catch (error) {
    const { status, data } = error.response ?? {};
    return { error: `${error.message} ${status ?? ''} ${JSON.stringify(data) ?? ''}` };
  }
};

/**
 * Makes the calls one after the other, in the order of `calls`.
 * @param methods all that the client has, by reflection: one that is not called is an error
 */
export const outcomes = async (methods, calls) => {
  const made = {};
  for (const [name, call] of Object.entries(calls)) made[name] = await outcomeOf(call);
  for (const name of methods) made[name] ??= { error: 'is not called' };
  return made;
};
