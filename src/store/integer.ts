/** Largest value of a column of type `integer`. */
export const MAX_INTEGER = 2_147_483_647;
