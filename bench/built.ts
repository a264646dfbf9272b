/**
 * Imports a module of `dist/`: what people run is measured, not what a development loader makes of the sources.
 * @param path of the module as in `src/`, ending in `.js`
 */
export const importBuilt = <Module>(path: string): Promise<Module> =>
  import(new URL(`../dist/${path}`, import.meta.url).href) as Promise<Module>;
