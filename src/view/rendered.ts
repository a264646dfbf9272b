/** Finished JSON bytes: a handler returns them and the shell sends them without another serialisation. */
export class Rendered {
  constructor(readonly body: Buffer) {}
}
