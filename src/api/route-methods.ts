const WITHOUT_SLASH = /(?<=.)\/+$/;
const SLASHES = /\/{2,}/g;

/** Methods of each known path, to distinguish a wrong method (405) from an unknown path (404). */
export class KnownPaths {
  readonly #fixed = new Map<string, Set<string>>();
  readonly #open: { readonly pattern: RegExp; readonly methods: Set<string> }[] = [];

  /** @param path may have parameters (`/x/:id`) */
  add(method: string, path: string): void {
    this.#methods(path.replace(WITHOUT_SLASH, '')).add(method).add('OPTIONS');
  }

  #methods(path: string): Set<string> {
    if (path.includes(':')) {
      const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`);
      const present = this.#open.find((entry) => entry.pattern.source === pattern.source);
      if (present) return present.methods;
      const methods = new Set<string>();
      this.#open.push({ pattern, methods });
      return methods;
    }
    const methods = this.#fixed.get(path) ?? new Set<string>();
    this.#fixed.set(path, methods);
    return methods;
  }

  /** @returns the path's methods as in the header `Allow`; undefined for an unknown path */
  allowed(url: string): string | undefined {
    const path = url
      .replace(/[?#].*$/s, '')
      .replace(SLASHES, '/')
      .replace(WITHOUT_SLASH, '');
    const methods = this.#fixed.get(path) ?? this.#open.find(({ pattern }) => pattern.test(path))?.methods;
    return methods && [...methods].join(', ');
  }
}
