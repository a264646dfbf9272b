/** Maximum number of origins of an app. */
export const MAX_ORIGINS = 20;
