const SPACE = /[ \t\r\n]*/y;
const SCALAR =
  /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;
const NAME = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy;

class Fault extends Error {}

/** Parses JSON only to find the position of an error, which `JSON.parse` often does not report. */
class Walk {
  at = 0;

  constructor(readonly text: string) {}

  take(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found === null) return false;
    this.at += found[0].length;
    return true;
  }

  sign(sign: string): boolean {
    this.take(SPACE);
    if (this.text[this.at] !== sign) return false;
    this.at++;
    return true;
  }

  need(isThere: boolean): void {
    if (!isThere) throw new Fault();
  }

  list(end: string, item: () => void): void {
    if (this.sign(end)) return;
    do item();
    while (this.sign(','));
    this.need(this.sign(end));
  }

  value(): void {
    if (this.sign('[')) this.list(']', () => this.value());
    else if (this.sign('{')) {
      this.list('}', () => {
        this.take(SPACE);
        this.need(this.take(NAME));
        this.need(this.sign(':'));
        this.value();
      });
    } else this.need(this.take(SCALAR));
  }
}

/** @returns the number of the line, from 1, with the first error of an invalid JSON text */
export const lineOfJsonError = (text: string): number => {
  const walk = new Walk(text);
  try {
    walk.value();
    walk.take(SPACE);
  } catch (error) {
    // For nesting that is too deep, the position reached counts.
    if (!(error instanceof Fault) && !(error instanceof RangeError)) throw error;
  }
  return text.slice(0, walk.at).split('\n').length;
};
