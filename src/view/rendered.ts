/**
 * Finished JSON bytes: a handler returns them and the shell sends them without another serialisation. Each is sent once:
 * its memory goes to other pages then.
 */
export class Rendered {
  constructor(readonly body: Buffer) {}
}
