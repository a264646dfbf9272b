import type { HostSearch, Place } from './host-search.js';

interface Connection {
  /** Closes it if it is idle, and finds out now whether it is lost if not. */
  closeSoon(): void;
}

/** The connections of one database to its server. */
export class ServerConnections {
  readonly #open = new Set<Connection>();
  #isClosing = false;
  /** Chooses the host of each connection; undefined if there is only one. */
  readonly search: HostSearch | undefined;
  /** Where the last connection was opened. */
  place: Place | undefined;
  /** Whether the server let no connection in while the process stopped; later ones are not tried. */
  isUnreachable = false;

  /** Whether it leads to a pooler in transaction mode. */
  readonly isPooler: boolean;

  constructor({
    search,
    isPooler = false,
  }: { readonly search?: HostSearch | undefined; readonly isPooler?: boolean } = {}) {
    this.search = search;
    this.isPooler = isPooler;
  }

  /** Whether the process stops, so that connections, and statements on them, wait for a short time only. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  add(connection: Connection): void {
    this.#open.add(connection);
  }

  delete(connection: Connection): void {
    this.#open.delete(connection);
  }

  closeSoon(): void {
    this.#isClosing = true;
    for (const connection of this.#open) connection.closeSoon();
  }
}
